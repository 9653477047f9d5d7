#!/bin/sh
# Builds the program a second time with a page whose files all have other names, as a later
# release has: for the test of upgrades.
#
#   scripts/second-release.sh bin/servery-b
set -eu
cd "$(dirname "$0")/.."
out=$(pwd)/$1
dir=$(mktemp -d "${TMPDIR:-/tmp}/servery-release.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$dir" 2>/dev/null || true
rm -rf "$dir/web/dist"
cp -r web/dist "$dir/web/dist"
cd "$dir/web/dist"
rm -f assets/*.br assets/*.gz
# A name ends in a dash and eight letters that follow from what is in the file.
for file in assets/*; do
	name=$(basename "$file")
	stem=${name%.*}
	echo "s/$(printf '%s' "$stem" | sed 's/[.]/[.]/g')[.]/${stem}B./g"
done >"$dir/names.sed"
find . -type f \( -name '*.js' -o -name '*.css' -o -name '*.json' \) -exec sed -i -f "$dir/names.sed" {} +
# Its worker has stores of its own.
sed -i 's/"release":"/&b/' sw.js
for file in assets/*; do
	name=$(basename "$file")
	mv "$file" "assets/${name%.*}B.${name##*.}"
done
cd "$dir"
CGO_ENABLED=0 go build -buildvcs=false -o "$out" ./cmd/servery
