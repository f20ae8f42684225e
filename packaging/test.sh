#!/usr/bin/env bash
# Sets up what is missing, then checks everything: lint, format, types, tests.
# Arguments go to pytest, whose closing line is the last one printed.
set -euo pipefail
# shellcheck source=packaging/prepare.sh
. "$(dirname "${BASH_SOURCE[0]}")/prepare.sh"

need_libraries "${offscreen_packages[@]}"
want_screen_reader
install_project dev

cd "$root"
export QT_QPA_PLATFORM=offscreen

failed=()
check() {
  say "$*"
  "$venv/bin/python" -m "$@" || failed+=("$*")
}

check ruff check
check ruff format --check
check mypy
if [ ${#failed[@]} -gt 0 ]; then
  say "not passed, whatever the tests say below: $(printf '%s; ' "${failed[@]}")"
fi

status=0
# A process for each core and one more, since tests of a window wait a third of their time; a
# file's tests together. Measuring has a command of its own.
cores="$(nproc 2>/dev/null || echo 1)"
processes=$((cores < 4 ? cores + 1 : 4))
"$venv/bin/python" -m pytest -n "$processes" --dist loadfile -p no:benchmark "$@" || status=$?
if [ "$status" -eq 0 ] && [ ${#failed[@]} -gt 0 ]; then
  status=1
fi
exit "$status"
