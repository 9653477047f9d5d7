#!/bin/sh
# Makes the map of the demo's Berlin, content/demo/maps/berlin.pmtiles, from the made city of scripts/demomap, and
# prints what content/demo/places/berlin.yaml says of it. It needs tilemaker, which most distributions have.
set -eu
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
go run ./scripts/demomap "$folder/berlin.osm.pbf"
tilemaker --threads 1 --input "$folder/berlin.osm.pbf" --output "$folder/berlin.mbtiles" --bbox 13.20,52.43,13.60,52.60 \
  --config deploy/maps/config.json --process deploy/maps/process.lua >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
mkdir -p content/demo/maps
go run ./cmd/servery maps "$folder/berlin.mbtiles" content/demo/maps/berlin.pmtiles
