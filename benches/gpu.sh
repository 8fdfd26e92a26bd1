#!/usr/bin/env bash
# Asks a GPU all there is to ask, in one call: whether it gives the CPU engine's bits, and how fast it steps.
#
#   benches/gpu.sh [--quick] [--out FOLDER] [--commit ID] [BALLPIT]
#
# BALLPIT is the built program [target/release/ballpit], ID the commit that the summary names [the program's own]. What each
# part says goes into a folder of its own under FOLDER [benches/results], named by the date and the adapter, and a summary
# beside it, which is also printed. The most important parts come first; one that fails or takes too long is noted, and the
# next begins. All of them end within 8 minutes. --quick asks the same of fewer balls, for a software adapter.
#
# Exit codes: 0 all parts ran and the engines agree, 1 some part failed, 2 wrong arguments or no adapter.
set -uo pipefail

# Some drivers complain on every call without it.
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-${TMPDIR:-/tmp}}"

# Seconds for everything.
readonly MOST_S=470

usage() {
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

fail() {
    echo "gpu.sh: $1" >&2
    exit 2
}

quick=
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd) || exit 2
out="$root/benches/results"
commit=
ballpit="${CARGO_TARGET_DIR:-$root/target}/release/ballpit"
while (($#)); do
    case "$1" in
        --quick) quick=yes ;;
        --out) (($# > 1)) || usage; out=$2; shift ;;
        --commit) (($# > 1)) || usage; commit=$2; shift ;;
        -*) usage ;;
        *) ballpit=$1 ;;
    esac
    shift
done
[[ -x $ballpit ]] || fail "$ballpit is no program; build it with cargo build --release, or say where it is"

# Counts of balls to profile, and what a step of each may take on an H200, ms; - where nothing is promised.
counts=(10k 100k 1M 4M 10M)
targets=(- 0.2 1.2 - 8.3)
profile=(--steps 100 --warmup 120)
pile=(pile --balls 20000 --steps 600)
million=(million --steps 10)
picture=(pile --balls 100k --seconds 1)
if [[ $quick ]]; then
    counts=(1k 5k)
    targets=(- -)
    profile=(--steps 10 --warmup 10)
    pile=(pile --balls 2000 --steps 60)
    million=(million --balls 5000 --steps 10)
    picture=(pile --balls 1k --seconds 1)
fi

# A first, small question: is there an adapter, and which?
first=$("$ballpit" profile pile --balls 100 --engine gpu --steps 1 --warmup 0 --csv) || fail "the GPU engine does not run"
# The lines of a CSV without quotes; commas inside them become semicolons.
plain_csv() {
    awk -F'"' -v OFS='' '{ for (i = 2; i <= NF; i += 2) gsub(",", ";", $i); print }' "$@"
}

# column NAME: that of the second line.
column() {
    plain_csv <<<"$first" | awk -F, -v name="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
        NR == 2 && at { gsub(";", ",", $at); print $at }'
}
adapter=$(column adapter)
driver=$(column driver)
commit=${commit:-$(column commit)}
slug=$(tr -cs '[:alnum:]' - <<<"$adapter" | tr '[:upper:]' '[:lower:]' | sed 's/^-*//; s/-*$//')
folder="$out/$(date -u +%F)-$slug"
for ((again = 2; ; again++)); do
    [[ -e $folder ]] || break
    folder="$out/$(date -u +%F)-$slug-$again"
done
mkdir -p "$folder" || fail "$folder can't be made"

names=()
results=()
failures=0

# part NAME SECONDS ARGUMENT...: runs the program, at most for so long and as long as there is time at all.
part() {
    local name=$1 most=$2 started=$SECONDS code=0
    shift 2
    names+=("$name")
    ((most <= MOST_S - SECONDS)) || most=$((MOST_S - SECONDS))
    if ((most < 5)); then
        results+=("LEFT OUT, no time was left")
        failures=$((failures + 1))
        return
    fi
    echo "$name" >&2
    timeout "$most" "$ballpit" "$@" >"$folder/$name.txt" 2>"$folder/$name.errors.txt" || code=$?
    [[ -s $folder/$name.errors.txt ]] || rm -f "$folder/$name.errors.txt"
    case $code in
        0) results+=("done in $((SECONDS - started)) s") ;;
        124) results+=("TOOK TOO LONG, ended after $most s") ;;
        *) results+=("FAILED with exit code $code") ;;
    esac
    ((code == 0)) || failures=$((failures + 1))
}

# profile_part ARITHMETIC COUNT SECONDS
profile_part() {
    part "profile-$2-$1" "$3" profile pile --balls "$2" --engine gpu --size 1920x1080 "${profile[@]}" --arithmetic "$1" --csv
}

part compare-pile-exact 90 compare "${pile[@]}"
for count in "${counts[@]}"; do
    profile_part exact "$count" 100
done
part compare-million-exact 60 compare "${million[@]}"
for count in "${counts[@]}"; do
    profile_part plain "$count" 100
done
part compare-pile-plain 90 compare "${pile[@]}" --arithmetic plain
part draw-1080p 30 simulate "${picture[@]}" --engine gpu --png "$folder/pile.png" --size 1920x1080
part compare-million-plain 60 compare "${million[@]}" --arithmetic plain

# figures ARITHMETIC COUNT: median and p10 of a step, the stages' medians together, that of drawing, and the overlap, with
# bars between.
figures() {
    plain_csv "$folder/profile-$2-$1.txt" 2>/dev/null | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { stage = $at["stage"]; ms = $at["median_ms"] }
        stage == "step" { median = ms; p10 = $at["p10_ms"]; overlap = $at["overlap_ratio_p99"]; next }
        stage == "drawing" { drawing = ms; next }
        stage != "frame" { stages += ms }
        END {
            if (median == "") print "- | - | - | - | -"
            else printf "%.3f | %.3f | %.3f | %.3f | %.1f %%\n", median, p10, stages, drawing, 100 * overlap
        }'
}

# verdict FIGURES TARGET
verdict() {
    if [[ $2 = - ]]; then
        echo -
    else
        awk -v ms="${1%% *}" -v most="$2" 'BEGIN { print ms == "-" ? "no answer" : ms <= most ? "pass" : "MISSED" }'
    fi
}

# The rows of the table of times; the targets are those of exact arithmetic.
print_times() {
    local arithmetic index target found
    for arithmetic in exact plain; do
        for index in "${!counts[@]}"; do
            target=${targets[index]}
            [[ $arithmetic = exact ]] || target=-
            found=$(figures "$arithmetic" "${counts[index]}")
            printf '| %s | %s | %s | %s | %s |\n' "${counts[index]}" "$arithmetic" "$found" "$target" \
                "$(verdict "$found" "$target")"
        done
    done
}

print_summary() {
    local arithmetic index answer
    printf '# %s, %s\n\n' "$adapter" "$(date -u +%F)"
    printf -- '- adapter: %s\n- driver: %s\n- commit: %s\n' "$adapter" "$driver" "$commit"
    printf -- '- machine: %s, %s threads\n' "$(uname -sm)" "$(nproc)"
    for arithmetic in exact plain; do
        answer=$(grep -ho 'bit-exact with the CPU engine: .*' "$folder/compare-pile-$arithmetic.txt" 2>/dev/null)
        printf -- '- self-test, %s arithmetic: %s\n' "$arithmetic" "${answer:-no answer}"
    done
    printf '\n| part | |\n| --- | --- |\n'
    for index in "${!names[@]}"; do
        printf '| %s | %s |\n' "${names[index]}" "${results[index]}"
    done
    printf '\nSteps of the scene pile, ms, on the wall clock, each waited for. The targets are those of an H200 in exact arithmetic.\n\n'
    printf '| balls | arithmetic | median | p10 | stages by timestamps | drawing at 1080p | overlap over radius, p99 | target | |\n'
    printf '| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n'
    print_times
}

print_summary >"$folder/summary.md"
cat "$folder/summary.md"
echo "$folder"
((failures == 0))
