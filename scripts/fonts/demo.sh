#!/bin/sh
# Makes the fonts of the demo brands again, of those that Google Fonts has as packages.
set -eu
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm install --silent --no-save --prefix "$work" @expo-google-fonts/onest@0.4.2 @expo-google-fonts/nunito@0.4.2
fonts="$work/node_modules/@expo-google-fonts"

make_fonts() {
	brand=$1 name=$2 weights=$3
	shift 3
	/usr/bin/python3 content/starter/fonts/fonts.py --out "content/demo/$brand/fonts" --name "$name" --weights "$weights" \
		--languages ru,en,tr,uz,de,uk --signs "₽Br₸€₺₴soʻm" --text "РусскийTürkçeУкраїнськаèû" "$@"
}

onest="$fonts/onest/100Thin/Onest_100Thin.ttf $fonts/onest/400Regular/Onest_400Regular.ttf $fonts/onest/900Black/Onest_900Black.ttf"
nunito="$fonts/nunito/400Regular/Nunito_400Regular.ttf $fonts/nunito/700Bold/Nunito_700Bold.ttf $fonts/nunito/900Black/Nunito_900Black.ttf"
# The names have no spaces.
# shellcheck disable=SC2086
{
	make_fonts sushi onest 300:700 $onest
	make_fonts shawarma onest 400:900 $onest
	make_fonts pizza onest 400:800 $onest
	make_fonts pizza nunito 400:900 $nunito
}
