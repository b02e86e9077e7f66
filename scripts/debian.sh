# Debian packages for the other scripts: sourced, never run.
# shellcheck shell=bash
#
# Every package comes through the machine's own apt configuration; nothing here names a mirror.

# Where unpacked tools are kept between runs, outside the clone.
BERTH_TEST_TOOLS=${BERTH_TEST_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/berth-test-tools}

say() { printf '%s\n' "$*" >&2; }

# Ends the script with a message.
die() {
    say "error: $*"
    exit 1
}

is_debian() {
    [ -r /etc/os-release ] && grep -qE '^(ID|ID_LIKE)=.*debian' /etc/os-release && command -v apt-get >/dev/null
}

# Runs a command as root: directly, or through sudo when that asks for nothing or can ask on a terminal.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif can_be_root; then
        sudo "$@"
    else
        return 1
    fi
}

can_be_root() {
    [ "$(id -u)" = 0 ] && return 0
    command -v sudo >/dev/null || return 1
    sudo -n true 2>/dev/null || [ -t 0 ]
}

# The given packages that are not installed, one a line.
missing_packages() {
    local name
    for name in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || printf '%s\n' "$name"
    done
}

# Installs the given Debian packages where they are missing; says the exact command when it may not.
need_packages() {
    local missing
    is_debian || die "these Debian packages (or your system's equal) are needed: $*"
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -eq 0 ] && return 0
    if ! can_be_root; then
        die "missing system packages. Please run:  sudo apt-get install --no-install-recommends ${missing[*]}"
    fi
    say "Installing Debian packages: ${missing[*]}"
    local log
    log=$(mktemp)
    # Old package lists name files that are gone: refresh them first.
    if ! { as_root apt-get update -q && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
        tail -n 30 "$log" >&2
        rm -f "$log"
        die "apt-get could not install: ${missing[*]}"
    fi
    rm -f "$log"
}

# The first line of apt's own sources for this machine's release: "<repository address> <file that names it>".
apt_repository() {
    local release
    release=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI) $(SOURCESENTRY)' \
        | awk -v release="$release" '$1 == release && $2 == "main" { sub(/:[0-9]+$/, "", $4); print $3, $4; exit }'
}

# fetch_packages SUITE FOLDER PACKAGE…: downloads packages of another suite into FOLDER, with an apt
# configuration of its own: neither this machine's sources nor its package state change.
fetch_packages() (
    local suite=$1 folder=$2 uri entry keyring apt
    shift 2
    read -r uri entry < <(apt_repository)
    [ -n "${uri:-}" ] || die "apt's sources name no repository for this Debian release; run apt-get update"
    keyring=$(grep -m1 -oiE 'signed-by[:=][[:space:]]*/[^] ]+' "$entry" | sed 's/^[^/]*//' || true)
    apt=$folder/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    : >"$apt/status"
    printf 'deb %s%s %s main\n' "${keyring:+[signed-by=$keyring] }" "$uri" "$suite" >"$apt/sources.list"
    local options=(
        -o "Dir::Etc::SourceList=$apt/sources.list" -o "Dir::Etc::SourceParts=-"
        -o "Dir::Etc::PreferencesParts=-" -o "Dir::Etc::Preferences=-"
        -o "Dir::State::Lists=$apt/lists" -o "Dir::State::Status=$apt/status" -o "Dir::Cache=$apt/cache"
        -o "APT::Sandbox::User=root" -o "APT::Update::Post-Invoke-Success::="
        -o "Acquire::Languages=none" -o "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false"
    )
    if ! { apt-get "${options[@]}" -q update && cd "$folder" && apt-get "${options[@]}" -q download "$@"; } >"$apt/log" 2>&1; then
        tail -n 20 "$apt/log" >&2
        die "could not fetch $* of Debian $suite"
    fi
    rm -rf "$apt"
)
