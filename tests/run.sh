#!/usr/bin/env bash
# Runs every test, after installing what they need and the machine lacks: a software Vulkan driver (for the GPU engine
# where there is no GPU), displays of both kinds and a hand to move a mouse (for the window). Debian and its like only.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=()
if ! compgen -G '/usr/share/vulkan/icd.d/*.json' >/dev/null && ! compgen -G '/etc/vulkan/icd.d/*.json' >/dev/null; then
    packages+=(mesa-vulkan-drivers)
fi
has_library() { ldconfig -p | grep -q "$1"; }
has_library libvulkan.so.1 || packages+=(libvulkan1)
has_library libxkbcommon-x11.so.0 || packages+=(libxkbcommon-x11-0)
has_library libXcursor.so.1 || packages+=(libxcursor1)
has_library libXi.so.6 || packages+=(libxi6)
command -v Xvfb >/dev/null || packages+=(xvfb)
command -v xdotool >/dev/null || packages+=(xdotool)
command -v weston >/dev/null || packages+=(weston)

if ((${#packages[@]})); then
    if ! command -v apt-get >/dev/null; then
        echo "please install what these Debian packages hold, then run this again: ${packages[*]}" >&2
        exit 1
    fi
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq "${packages[@]}"
fi

if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
    XDG_RUNTIME_DIR=$(mktemp -d)
    export XDG_RUNTIME_DIR
    trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
fi
# A machine without any adapter fails here rather than passing with half the tests skipped.
export BALLPIT_GPU="${BALLPIT_GPU:-required}"

if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --release "$@"
    cargo test --release --doc
else
    cargo test --release "$@"
fi
