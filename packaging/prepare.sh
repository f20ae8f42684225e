# shellcheck shell=bash
# What run.sh and test.sh share: a Python, the system's libraries, the project in .venv.
# Sourced by both; changes nothing outside .venv but Debian packages, and says so first.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
venv="$root/.venv"
unset PYTHONHOME PYTHONPATH
unset PYTHONDONTWRITEBYTECODE # every start would compile all modules again

say() {
  printf 'mvdesk: %s\n' "$*"
}

fail() {
  printf 'mvdesk: %s\n' "$*" >&2
  exit 1
}

# What the window needs even when nothing shows it, and what a screen needs besides.
# shellcheck disable=SC2034  # the scripts use these
readonly offscreen_packages=(libgl1 libegl1 libxkbcommon0 libfontconfig1 libdbus-1-3)
# shellcheck disable=SC2034
readonly screen_packages=(libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0
  libxcb-xkb1 libxkbcommon-x11-0)
# Emoji and East Asian text: without these fonts such letters are empty boxes.
readonly font_packages=(fonts-noto-color-emoji fonts-droid-fallback)
# A screen that nobody sees and the bus of screen readers: what they are told is tested.
# shellcheck disable=SC2034
readonly reader_packages=(xvfb dbus at-spi2-core)

have() {
  command -v "$1" >/dev/null 2>&1
}

has_apt() {
  have apt-get && have dpkg-query
}

is_installed() {
  local status
  status="$(dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null)" || return 1
  grep -qx installed <<<"$status"
}

apt_knows() {
  apt-cache show "$1" >/dev/null 2>&1
}

# Prints how to become root without being asked: "", "sudo -n", or fails.
root_prefix() {
  if [ "$(id -u)" -eq 0 ]; then
    printf ''
  elif have sudo && sudo -n true >/dev/null 2>&1; then
    printf 'sudo -n'
  else
    return 1
  fi
}

apt_updated=no
update_apt() {
  [ "$apt_updated" = no ] || return 0
  apt_updated=yes
  local prefix
  prefix="$(root_prefix)" || return 0
  say "reading the list of available packages (apt-get update)"
  # shellcheck disable=SC2086  # the prefix is one word, two, or none
  $prefix apt-get update -qq >/dev/null || say "apt-get update failed; going on with what is known"
}

# install_packages NAME...: by apt, or prints the command and fails.
install_packages() {
  local prefix
  if prefix="$(root_prefix)"; then
    say "installing: $*"
    # shellcheck disable=SC2086  # the prefix is one word, two, or none
    $prefix env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -qq --no-install-recommends "$@" </dev/null >/dev/null
  else
    say "not permitted to install packages here. This command does it:" >&2
    printf '    sudo apt-get install -y --no-install-recommends %s\n' "$*" >&2
    return 1
  fi
}

# GLib's package has another name since the change to 64-bit times.
glib_package() {
  if apt_knows libglib2.0-0t64; then
    echo libglib2.0-0t64
  elif apt_knows libglib2.0-0; then
    echo libglib2.0-0
  else
    local codename
    # shellcheck source=/dev/null
    codename="$(. /etc/os-release 2>/dev/null && echo "${UBUNTU_CODENAME:-${VERSION_CODENAME:-}}")"
    case "$codename" in
      buster | bullseye | bookworm | focal | jammy) echo libglib2.0-0 ;;
      *) echo libglib2.0-0t64 ;;
    esac
  fi
}

# need_libraries NAME...: installs those that are missing.
need_libraries() {
  local package missing=()
  if ! has_apt; then
    say "this system has no apt; Qt's libraries (libGL, libEGL, libxkbcommon, fontconfig, D-Bus) have to be there"
    return 0
  fi
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if ! is_installed libglib2.0-0t64 && ! is_installed libglib2.0-0; then
    update_apt
    missing+=("$(glib_package)")
  fi
  [ ${#missing[@]} -gt 0 ] || return 0
  update_apt
  install_packages "${missing[@]}" || fail "these system libraries are missing: ${missing[*]}"
}

# want_packages CONSEQUENCE NAME...: installs those that are missing where that is permitted.
# They are wanted, not needed; CONSEQUENCE says what is not there without them.
want_packages() {
  local consequence="$1" package missing=()
  shift
  has_apt && root_prefix >/dev/null || return 0
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  update_apt
  install_packages "${missing[@]}" || say "$consequence"
}

want_fonts() {
  want_packages "no fonts for emoji and East Asian text; they will show as boxes" "${font_packages[@]}"
}

want_screen_reader() {
  want_packages "what screen readers are told can't be tested here" \
    "${reader_packages[@]}" "${screen_packages[@]}"
}

is_new_enough() {
  "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
  local name
  for name in python3 python3.13 python3.12 python3.11 python3.14 python; do
    if have "$name" && is_new_enough "$name"; then
      command -v "$name"
      return 0
    fi
  done
  return 1
}

install_python() {
  local name
  has_apt && root_prefix >/dev/null || return 1
  update_apt
  for name in python3 python3.13 python3.12 python3.11; do
    apt_knows "$name" || continue
    if [ "$name" = python3 ]; then
      dpkg --compare-versions "$(apt-cache policy python3 | awk '/Candidate:/ {print $2}')" ge 3.11 ||
        continue
    fi
    install_packages "$name" "$name-venv"
    return
  done
  return 1
}

# Makes .venv unless a sound one is there. A Debian Python may come without ensurepip.
make_venv() {
  local python version
  if "$venv/bin/python" -m pip --version >/dev/null 2>&1 && is_new_enough "$venv/bin/python"; then
    return 0
  fi
  if ! python="$(find_python)"; then
    say "no Python 3.11 or newer was found"
    install_python || fail "mvdesk needs Python 3.11 or newer. On Debian 12, Ubuntu 24.04 or later:" \
      "sudo apt-get install -y python3 python3-venv"
    python="$(find_python)" || fail "the Python that was installed is older than 3.11"
  fi
  version="$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
  if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    say "Python $version at $python can't make virtual environments yet"
    has_apt || fail "install the venv and ensurepip modules of Python $version, then run this again"
    update_apt
    install_packages "python$version-venv" || fail "the package python$version-venv is missing"
  fi
  say "making a virtual environment in .venv with Python $version"
  "$python" -m venv --clear "$venv" || fail "making $venv failed; the lines above say why"
}

# What an installation depends on; the same text means nothing has to be done.
stamp_text() {
  printf '%s\n' "$root"
  "$venv/bin/python" -c 'import sys; print(sys.version)'
  cksum <"$root/pyproject.toml"
}

# install_project run|dev: the project, editable, unless a stamp says it is there.
install_project() {
  local kind="$1" target="$root" stamp
  make_venv
  stamp="$(stamp_text)"
  if [ "$(cat "$venv/mvdesk-$kind.stamp" 2>/dev/null)" = "$stamp" ]; then
    return 0
  fi
  [ "$kind" = run ] || target="${root}[$kind]"
  say "installing mvdesk and what it needs into .venv (a few minutes the first time)"
  rm -f "$venv"/mvdesk-*.stamp
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
    --editable "$target" || fail "the installation failed; the lines above say why. Is this machine online?"
  printf '%s\n' "$stamp" >"$venv/mvdesk-run.stamp"
  [ "$kind" = run ] || printf '%s\n' "$stamp" >"$venv/mvdesk-$kind.stamp"
}
