#!/bin/sh
# Runs targets of make one after another, stops at the first that fails, and prints at its
# end how long each took.
#
#   scripts/steps.sh verify lint test-go
set -u
cd "$(dirname "$0")/.."

table=$(mktemp)
trap 'rm -f "$table"' EXIT
begin=$(date +%s)
status=0

row() { printf '%4d min %02d s  %s\n' $(($1 / 60)) $(($1 % 60)) "$2" >>"$table"; }

for step; do
	start=$(date +%s)
	"${MAKE:-make}" --no-print-directory "$step" || status=$?
	row $(($(date +%s) - start)) "$step"
	[ "$status" -eq 0 ] || break
done
row $(($(date +%s) - begin)) 'all of it'

printf '\nWhere the time went:\n'
cat "$table"
[ "$status" -eq 0 ] || printf '%s failed\n' "$step" >&2
exit "$status"
