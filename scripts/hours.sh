#!/bin/sh
# Shows all journeys once for each time zone that is named, with every city of the demo in that zone: the journeys as
# they are at another hour, since neither program nor browser can be given another time.
#   scripts/hours.sh Etc/GMT-9 Etc/GMT+9
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for zone; do
	echo "All journeys in $zone, where it is $(TZ=$zone date +%H:%M)"
	cp -R content/demo "$folder/"
	sed -i "s#^timezone: .*#timezone: $zone#" "$folder"/demo/places/*.yaml
	# The program with that demo inside: only with its own demo the simulated kitchen works.
	{
		echo '{"Replace": {'
		for place in content/demo/places/*.yaml; do
			echo "\"$PWD/$place\": \"$folder/demo/places/${place##*/}\","
		done | sed '$s/,$//'
		echo '}}'
	} >"$folder/overlay.json"
	go build -buildvcs=false -overlay "$folder/overlay.json" -o "$folder/servery" ./cmd/servery
	(cd e2e && DATABASE_URL= SERVERY_DEMO="$folder/demo" SERVERY_BIN="$folder/servery" npx playwright test)
done
