#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image. The zip holds this file, run_autograder, the
# course in the folder course/, and, if you like, hidden cases in the folder cases/.
set -euo pipefail
AUTOGRADER=${AUTOGRADER:-/autograder}

apt-get update
# The compiler's linker, what fetches rustup, and the sandbox where the machine allows one.
apt-get install -y --no-install-recommends build-essential ca-certificates curl bubblewrap
curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal -c clippy
# shellcheck disable=SC1091
. "$HOME/.cargo/env"

# Everything that does not depend on a submission is built here, so that grading is quick.
cd "$AUTOGRADER/source/course"
cargo build --locked -p course
mkdir -p /tmp/nothing/exercises
cases=()
# A case with a mistake shows here, before anybody hands in.
if [ -d "$AUTOGRADER/source/cases" ]; then cases=(--cases "$AUTOGRADER/source/cases"); fi
cargo course grade --single /tmp/nothing "${cases[@]}" --out /tmp/nothing-grades >/dev/null
rm -r /tmp/nothing /tmp/nothing-grades
