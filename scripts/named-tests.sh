#!/bin/sh
# Fails when a name that the Makefile or a document asks `go test -run` for matches no test: go test
# says nothing then and passes.
set -eu
cd "$(dirname "$0")/.."

tests=$(git grep -hoE '^func (Test|Fuzz)[A-Za-z0-9_]*' -- '*_test.go' | sed 's/^func //')
{
	sed -n 's/^LONG *:= //p' Makefile
	git grep -hoE -- "-(run|skip)[ =]'?[][A-Za-z0-9_|^()\$]+'?" -- Makefile docs CONTRIBUTING.md README.md races/doc.go |
		sed -E "s/^-(run|skip)[ =]'?//; s/'\$//"
} | tr -d '()' | tr '|' '\n' | grep -v '[$]' | sort -u | {
	missing=0
	while read -r name; do
		if [ -n "$name" ] && ! printf '%s\n' "$tests" | grep -qE "$name"; then
			echo "no test is named like $name: see the Makefile and docs/"
			missing=1
		fi
	done
	exit $missing
}
