#!/bin/sh
# Writes the index of the decisions from their files.
set -eu
cd "$(dirname "$0")/../docs/decisions"
{
	echo '# Decisions'
	echo
	echo 'One page for each choice that somebody might want to make again: what was chosen, why, and what'
	echo 'was rejected. A decision that no longer holds says by which one it was replaced. This index is'
	echo 'written by `make generate`.'
	echo
	echo '| decision | date | status |'
	echo '|---|---|---|'
	for file in 0*.md; do
		title=$(sed -n '1s/^# //p' "$file")
		meta=$(sed -n '3p' "$file")
		date=$(printf '%s' "$meta" | sed -n 's/^Date: \([0-9-]*\)\. Status: .*/\1/p')
		status=$(printf '%s' "$meta" | sed -n 's/^Date: [0-9-]*\. Status: \(.*\)\.$/\1/p')
		if [ -z "$title" ] || [ -z "$date" ] || [ -z "$status" ]; then
			echo "docs/decisions/$file: the first line is no title, or the third no date and status" >&2
			exit 1
		fi
		echo "| [$title]($file) | $date | $status |"
	done
} >README.md.new
mv README.md.new README.md
