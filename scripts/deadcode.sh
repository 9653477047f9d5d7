#!/bin/sh
# Fails when a function of the program is called by tests alone. What tests need in the program's
# own rooms, such as the fake clock, is listed in scripts/deadcode-allowed.txt with its reason.
set -eu
cd "$(dirname "$0")/.."
found=$(mktemp)
trap 'rm -f "$found"' EXIT
go tool -modfile=tools/go.mod deadcode -f '{{range .Funcs}}{{$.Path}}.{{.Name}}{{"\n"}}{{end}}' \
	./cmd/servery ./bench/load ./e2e/doubles ./e2e/city ./scripts/... |
	sed '/^$/d' | sort >"$found"
allowed=$(sed 's/[[:space:]]*#.*//; /^$/d' scripts/deadcode-allowed.txt | sort)
if unused=$(printf '%s\n' "$allowed" | comm -13 - "$found" | grep .); then
	echo "called by no program, only by tests:" >&2
	echo "$unused" >&2
	exit 1
fi
if stale=$(printf '%s\n' "$allowed" | comm -23 - "$found" | grep .); then
	echo "scripts/deadcode-allowed.txt lists what is called or gone:" >&2
	echo "$stale" >&2
	exit 1
fi
