#!/bin/sh
# Runs targets of make one after another, stops at the first that fails, and prints at its
# end how long each took. Of two joined by + the second runs beside the first, and what it
# prints is shown after it.
#
#   scripts/steps.sh verify lint test-go e2e-postgres+test-page
set -u
cd "$(dirname "$0")/.."

table=$(mktemp)
beside_output=$(mktemp)
trap 'rm -f "$table" "$beside_output"' EXIT
begin=$(date +%s)
status=0

row() { printf '%4d min %02d s  %s\n' $(($1 / 60)) $(($1 % 60)) "$2" >>"$table"; }

for steps; do
	start=$(date +%s)
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
	row $(($(date +%s) - start)) "$steps"
	[ "$status" -eq 0 ] || break
done
row $(($(date +%s) - begin)) 'all of it'

printf '\nWhere the time went:\n'
cat "$table"
[ "$status" -eq 0 ] || printf '%s failed\n' "$step" >&2
exit "$status"
