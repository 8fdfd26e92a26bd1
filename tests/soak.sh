#!/usr/bin/env bash
# The scene `mixer` at 20,000 balls for a long time on each engine: is memory flat to 1 %, the fastest ball no faster than it
# was, and the state of both engines the same? `tests/soak.sh` simulates ten minutes, `tests/soak.sh 60 5000` one, of fewer balls,
# and `tests/soak.sh 3600 20000 cpu` an hour on the CPU engine alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-600} balls=${2:-20000} engines=${3:-cpu gpu}

cargo build --release
program=${CARGO_TARGET_DIR:-target}/release/ballpit
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Resident memory of a process, KiB, every half second until it ends, and how many lines it has printed.
watch() {
    while kill -0 "$1" 2>/dev/null; do
        kib=$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$1/status" 2>/dev/null || true)
        [ -z "$kib" ] || echo "$kib $(wc -l <"$2")"
        sleep 0.5
    done
}

# Runs an engine; leaves its lines and its memory in files named after it.
run() {
    "$program" simulate mixer --balls "$balls" --seconds "$seconds" --engine "$1" >"$folder/$1.lines" &
    watch $! "$folder/$1.lines" >"$folder/$1.memory"
    wait $!
}

# Median of an engine's resident memory from one second of the run to another, a line being a second of it, KiB. While a line
# is being made there is a copy of the world, which some of the looks at the memory catch.
resident() {
    awk -v from="$2" -v to="$3" '$2 - 4 >= from && $2 - 4 < to { print $1 }' "$folder/$1.memory" | sort -n |
        awk '{ kib[NR] = $1 } END { print kib[int((NR + 1) / 2)] }'
}

# Growth of memory from the second third of the run to the last, in per cent. The last seconds, over which wandering is
# measured, keep copies of the world.
growth() {
    awk -v before="$(resident "$1" "$((seconds / 3))" "$((2 * seconds / 3))")" \
        -v after="$(resident "$1" "$((2 * seconds / 3))" "$((seconds - 2))")" 'BEGIN {
        printf "%d KiB resident, growth %.2f %%\n", after, 100 * (after - before) / before
        exit after > 1.01 * before
    }'
}

# The fastest ball of each half of the run: the lines that begin with a time hold it last.
fastest() {
    awk '$1 ~ /^[0-9.]+$/ && NF == 9 { fast[++n] = $9 } END {
        for (k = 1; k <= n; k++) { half = (k > n / 2); if (fast[k] > most[half]) most[half] = fast[k] }
        printf "fastest ball %.0f px/s, then %.0f px/s\n", most[0], most[1]
        exit most[1] > 2 * most[0]
    }' "$folder/$1.lines"
}

failed=0
for engine in $engines; do
    run "$engine"
    grep -E '^[0-9,]+ steps|^motion|^state' "$folder/$engine.lines" | sed "s/^/$engine: /"
    growth "$engine" | sed "s/^/$engine: /" || failed=1
    fastest "$engine" | sed "s/^/$engine: /" || failed=1
done
if [ "$(cat "$folder"/*.lines | grep '^state' | sort -u | wc -l)" != 1 ]; then
    echo "the engines end in different states"
    failed=1
fi
exit $failed
