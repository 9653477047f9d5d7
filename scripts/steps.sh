#!/bin/sh
# Runs targets of make one after another, stops at the first that fails, and prints at its
# end how long each took, with the time of all processors that its programs used. Of two joined
# by + the second runs beside the first, and what it prints is shown after it.
#
#   scripts/steps.sh verify lint test-go e2e-postgres+test-page
set -u
cd "$(dirname "$0")/.."

table=$(mktemp)
beside_output=$(mktemp)
clock=$(mktemp)
trap 'rm -f "$table" "$beside_output" "$clock"' EXIT
begin=$(date +%s)
status=0

row() {
	printf '%4d min %02d s, of processors %3d min  %s\n' $(($1 / 60)) $(($1 % 60)) $((($2 + 30) / 60)) "$3" >>"$table"
}

# Sets used to the seconds of processor time of the programs that have ended, in user mode and in the
# kernel together. The second line of times has both as 1m2.34s.
read_used() {
	times >"$clock"
	used=$(awk -F '[ms ]+' 'NR == 2 { printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }' "$clock")
}

for steps; do
	start=$(date +%s)
	read_used
	used_before=$used
	step=${steps%%+*}
	beside=${steps#"$step"}
	beside=${beside#+}
	if [ -n "$beside" ]; then
		"${MAKE:-make}" --no-print-directory "$beside" >"$beside_output" 2>&1 &
		pid=$!
	fi
	"${MAKE:-make}" --no-print-directory "$step" || status=$?
	if [ -n "$beside" ]; then
		beside_status=0
		wait "$pid" || beside_status=$?
		cat "$beside_output"
		if [ "$beside_status" -ne 0 ]; then
			status=$beside_status
			step=$beside
		fi
	fi
	read_used
	row $(($(date +%s) - start)) $((used - used_before)) "$steps"
	[ "$status" -eq 0 ] || break
done
read_used
row $(($(date +%s) - begin)) "$used" 'all of it'

printf '\nWhere the time went:\n'
cat "$table"
[ "$status" -eq 0 ] || printf '%s failed\n' "$step" >&2
exit "$status"
