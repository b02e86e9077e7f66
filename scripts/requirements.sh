# What Berth is built with and tested with: sourced, never run.
# shellcheck shell=bash
# shellcheck disable=SC2034

# To build the command line and the window.
BUILD_PACKAGES=(
    build-essential pkg-config git ca-certificates
    libwebkit2gtk-4.1-dev libgtk-3-dev librsvg2-dev libdbus-1-dev
)
# To run the window's tests: a display, a session bus and a driver for the web view.
WINDOW_TEST_PACKAGES=(webkit2gtk-driver xvfb xauth dbus)

# To run the tests on a real keychain: a session bus and a Secret Service.
KEYCHAIN_TEST_PACKAGES=(dbus gnome-keyring)

# at_least VERSION WANTED
at_least() { [ "$(printf '%s\n' "$2" "$1" | sort -V | head -n1)" = "$2" ]; }

# Ends the script, saying where to get them, when Rust or Node are missing or too old.
check_languages() {
    local rust node
    rust=$(rustc --version 2>/dev/null | cut -d' ' -f2) || die "Rust ≥ 1.90 is needed: https://rustup.rs"
    node=$(node --version 2>/dev/null | tr -d v) || die "Node ≥ 20.19 is needed: https://nodejs.org"
    at_least "$rust" 1.90.0 || die "Rust ≥ 1.90 is needed, found $rust: run rustup update"
    at_least "$node" 20.19.0 || die "Node ≥ 20.19 is needed, found $node: https://nodejs.org"
    say "Rust $rust, Node $node"
}
