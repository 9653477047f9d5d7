#!/bin/sh
# Generates everything again and fails when anything came out different.
set -eu
cd "$(dirname "$0")/.."

sums() {
	find internal/db/gen internal/server/wire internal/licences web/src/api web/src/styles/default-theme.css content/schema internal/money/currency.gen.go web/src/lib/currencies.gen.ts docs/content.md docs/architecture.md docs/decisions/README.md -type f | LC_ALL=C sort | xargs cksum
}

before=$(sums)
make --no-print-directory generate
after=$(sums)

if [ "$before" != "$after" ]; then
	echo "generated code was not current; it is now, so look at it and commit it" >&2
	exit 1
fi
