#!/bin/sh
# Installs what the tests need and a machine may lack: PostgreSQL and Chromium. As
# root on Debian it installs them; otherwise it says what is missing.
set -eu

has() { command -v "$1" >/dev/null 2>&1; }

# The shell is Chromium without windows: the journeys take a fifth less time with it.
shell=chromium-headless-shell
missing=
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || has initdb || missing="$missing postgresql"
has $shell || has chromium || has chromium-browser || has google-chrome || missing="$missing $shell"
[ -n "$missing" ] || has $shell || faster=$shell
[ -n "$missing${faster:-}" ] || exit 0

if [ "$(id -u)" -ne 0 ] || ! has apt-get; then
	[ -n "$missing" ] || exit 0
	echo "the tests need these packages, please install them:$missing" >&2
	exit 1
fi
install() { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; }
if [ -n "$missing" ]; then
	echo "installing$missing" >&2
	apt-get update -qq
	# shellcheck disable=SC2086 # a list of words
	install $missing
else
	install "$faster" || { apt-get update -qq && install "$faster"; } ||
		echo "$faster cannot be installed here; the journeys run in the browser that there is" >&2
fi
