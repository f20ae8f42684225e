#!/usr/bin/env bash
# Opens mvdesk on the demo vault, or on the vault given. Sets up what is missing first.
set -euo pipefail
# shellcheck source=packaging/prepare.sh
. "$(dirname "${BASH_SOURCE[0]}")/prepare.sh"

usage() {
  cat <<'TEXT'
bash packaging/run.sh           opens the window on the demo vault
bash packaging/run.sh VAULT     opens the window on a MemoryVault file
bash packaging/run.sh COMMAND…  runs a command of mvdesk, such as: list VAULT

The first run makes a virtual environment in .venv, installs mvdesk into it and, where it
is permitted, the system libraries that Qt needs. Later runs start at once.
TEXT
}

data_folder() {
  case "${XDG_DATA_HOME:-}" in
    /*) printf '%s/mvdesk' "$XDG_DATA_HOME" ;;
    *) printf '%s/.local/share/mvdesk' "${HOME:-$root/.venv}" ;;
  esac
}

has_display() {
  [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ] || [ -n "${QT_QPA_PLATFORM:-}" ]
}

say_how_to_see_it_anyway() {
  {
    say "there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can open."
    say "This renders the same window to PNG files instead:"
    printf '    %q screenshot %q %q\n' "$venv/bin/mvdesk" "$1" "mvdesk-pictures"
  } >&2
  exit 1
}

case "${1:-}" in
  -h | --help)
    usage
    exit 0
    ;;
esac

libraries=("${offscreen_packages[@]}")
if has_display; then
  libraries+=("${screen_packages[@]}")
fi
need_libraries "${libraries[@]}"
want_fonts
install_project run

vault="${1:-}"
if [ $# -eq 0 ]; then
  vault="$(data_folder)/demo.sqlite"
  if [ ! -e "$vault" ]; then
    say "writing the demo vault to $vault"
    mkdir -p "$(dirname "$vault")"
    "$venv/bin/mvdesk" demo "$vault" >/dev/null
  fi
  set -- "$vault"
fi

if [ -e "$vault" ] && ! has_display; then
  say_how_to_see_it_anyway "$vault"
fi
exec "$venv/bin/mvdesk" "$@"
