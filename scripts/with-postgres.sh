#!/bin/sh
# Runs a command with a private PostgreSQL for tests: in a temporary folder, in memory where
# there is enough, on a free port, without waiting for the disk. DATABASE_URL points to it; it is stopped
# and removed afterwards.
#
#   scripts/with-postgres.sh go test ./internal/db/...
#
# A DATABASE_URL that is set already is used as it is. With DURABLE=1 the server
# waits for the disk as in earnest, for benchmarks.
set -eu

if [ $# -eq 0 ]; then
	echo "usage: $0 COMMAND [ARGUMENT…]" >&2
	exit 2
fi
[ -z "${DATABASE_URL:-}" ] || exec "$@"

newest() {
	{
		ls -d /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin 2>/dev/null
	} | sort -V | tail -n 1
}

find_bin() {
	dir=$(newest)
	if [ -n "$dir" ] && [ -x "$dir/initdb" ]; then
		echo "$dir"
	elif command -v initdb >/dev/null 2>&1; then
		dirname "$(command -v initdb)"
	fi
}

bin=$(find_bin)
if [ -z "$bin" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "installing PostgreSQL for the tests" >&2
	apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >&2
	bin=$(find_bin)
fi
if [ -z "$bin" ]; then
	echo "PostgreSQL is not installed: install the package postgresql, or set DATABASE_URL to a server where tests may make databases" >&2
	exit 1
fi

# In memory a database is copied in a third of the time. Benchmarks need the disk.
place=${TMPDIR:-/tmp}
if [ -z "${DURABLE:-}" ] && [ -w /dev/shm ] && [ "$(df -Pm /dev/shm | awk 'NR == 2 { print $4 }')" -ge 4096 ]; then
	place=/dev/shm
fi
dir=$(mktemp -d "$place/servery-postgres.XXXXXX")

# PostgreSQL refuses to run as root.
owner() { "$@"; }
if [ "$(id -u)" -eq 0 ]; then
	user=postgres
	id "$user" >/dev/null 2>&1 || user=nobody
	chown "$user" "$dir"
	chmod 755 "$dir"
	owner() { (cd / && setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups -- "$@"); }
fi

# shellcheck disable=SC2329 # run by trap
cleanup() {
	owner "$bin/pg_ctl" -D "$dir/data" -m immediate -s stop >/dev/null 2>&1 || true
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

owner "$bin/initdb" -D "$dir/data" -U servery -A trust -E UTF8 --locale=C --no-sync >"$dir/initdb.log" 2>&1 || {
	cat "$dir/initdb.log" >&2
	exit 1
}

careless="-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
[ -z "${DURABLE:-}" ] || careless=
attempt=0
while :; do
	port=$(awk 'BEGIN { srand(); printf "%d", 20000 + (rand() * 30000 + '$$') % 30000 }')
	# max_connections leaves room for many tests at once.
	if owner "$bin/pg_ctl" -D "$dir/data" -l "$dir/data/server.log" -w -t 60 -s start \
		-o "-p $port -h 127.0.0.1 -k $dir $careless -c max_connections=300 -c shared_buffers=128MB" \
		>/dev/null 2>&1; then
		break
	fi
	attempt=$((attempt + 1))
	if [ "$attempt" -ge 5 ]; then
		cat "$dir/data/server.log" >&2
		exit 1
	fi
	sleep 1
done

DATABASE_URL="postgres://servery@127.0.0.1:$port/postgres?sslmode=disable"
export DATABASE_URL
status=0
"$@" || status=$?
exit "$status"
