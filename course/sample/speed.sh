#!/bin/bash
# What grading costs: hands in COUNT copies of all solutions, in each of which every file differs by
# a comment, so that no result is known before, and says what time they took.
#
#     course/sample/speed.sh [COUNT]
#
# What the exercises stand on is built before the clock starts. Processor seconds (user and system)
# count the grader, its guards, the compiler and the tests; on a machine that does nothing else,
# the seconds on the wall say how long a class takes.
set -eu

count=${1:-5}
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

hand_in() { # a folder for one submission
    for solution in solutions/0*/*/src/lib.rs; do
        lib="$1/exercises/${solution#solutions/}"
        mkdir -p "$(dirname "$lib")"
        { cat "$solution"; echo "// $(basename "$1") $RANDOM $RANDOM $(date +%s%N)"; } >"$lib"
    done
}

cargo build --quiet --package course
hand_in "$folder/before/none"
cargo course grade "$folder/before" --out "$folder/grades" --only the-round >/dev/null

for number in $(seq "$count"); do
    hand_in "$folder/class/$number"
done
exercises=$(find "$folder/class/1" -name lib.rs | wc -l)
TIMEFORMAT="$count submissions of $exercises exercises: %U s user, %S s system, %R s on the wall"
time cargo course grade "$folder/class" --out "$folder/grades"
