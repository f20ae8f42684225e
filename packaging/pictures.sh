#!/usr/bin/env bash
# Renders the pictures of the README from the demo vault, the same on every machine and day.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=.venv/bin/python
if [ ! -x "$python" ]; then
  echo "There is no .venv here yet; run packaging/test.sh or packaging/run.sh first." >&2
  exit 1
fi
folder=/tmp/mvdesk-pictures  # its path is in the pictures, so it has to be the same each time
mkdir "$folder"
trap 'rm -rf "$folder"' EXIT
"$python" -m mvdesk demo "$folder/demo.sqlite" --now 2026-11-30T09:00:00Z >/dev/null
mkdir -p resources/help
"$python" packaging/pictures.py "$folder" resources/help
