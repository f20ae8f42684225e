#!/usr/bin/env bash
# Renders the pictures of the README from the demo vault, the same on every machine and day.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mvdesk=.venv/bin/mvdesk
if [ ! -x "$mvdesk" ]; then
  echo "There is no .venv here yet; run packaging/test.sh or packaging/run.sh first." >&2
  exit 1
fi
folder=/tmp/mvdesk-pictures  # its path is in the pictures, so it has to be the same each time
mkdir "$folder"
trap 'rm -rf "$folder"' EXIT
now=2026-11-30T09:00:00Z
"$mvdesk" demo "$folder/demo.sqlite" --now "$now" >/dev/null
# The contradicted fact among the demo's six stories.
id=$("$mvdesk" list "$folder/demo.sqlite" --now "$now" --query "story" --sort confidence --limit 1 --json |
  .venv/bin/python -c 'import json, sys; print(json.load(sys.stdin)["memories"][0]["id"])')
"$mvdesk" screenshot "$folder/demo.sqlite" "$folder" --now "$now" --select "$id" >/dev/null
mkdir -p resources/help
cp "$folder/demo-light.png" resources/help/main-light.png
cp "$folder/demo-dark.png" resources/help/main-dark.png
echo "Wrote resources/help/main-light.png and main-dark.png."
