package dbtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver for the few statements on the server itself

	"servery/internal/db"
	"servery/internal/queue"
)

// connections is how many one test may hold: many tests share one server.
const connections = 6

// postgresURL makes a database for the test, as a copy of the template, and returns its address. Without
// DATABASE_URL it skips the test, or fails it where CI is set.
func postgresURL(t testing.TB) string {
	t.Helper()
	if os.Getenv("DATABASE_URL") == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("DATABASE_URL is not set, so nothing is tested on PostgreSQL")
		}
		t.Skip("SKIPPED ON POSTGRESQL: DATABASE_URL is not set; scripts/with-postgres.sh go test … sets it")
	}
	s, err := postgres()
	if err != nil {
		t.Fatal(err)
	}
	name := "servery_test_" + strings.ToLower(rand.Text())
	if _, err := s.pool.ExecContext(t.Context(), "CREATE DATABASE "+name+" TEMPLATE "+s.template+s.copies); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The test's own context has ended by now.
		if _, err := s.pool.ExecContext(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return s.databaseURL(name)
}

// server is the PostgreSQL that the tests share, with a migrated template on it.
type server struct {
	address  *url.URL
	pool     *sql.DB
	template string
	// copies says how a template is copied: file by file, which takes a third of the time.
	copies string
}

// databaseURL returns the address of a database of the server.
func (s *server) databaseURL(database string) string {
	u := *s.address
	u.Path = "/" + database
	return u.String()
}

var postgres = sync.OnceValues(func() (*server, error) {
	address, err := url.Parse(os.Getenv("DATABASE_URL"))
	if err != nil {
		return nil, errors.New("DATABASE_URL is not an address")
	}
	pool, err := sql.Open("pgx", address.String())
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(2)
	hash, err := migrationsHash()
	if err != nil {
		return nil, err
	}
	s := &server{address: address, pool: pool, template: "servery_template_" + hash}
	var version int
	if err := pool.QueryRowContext(context.Background(), "SELECT current_setting('server_version_num')::int").Scan(&version); err != nil {
		return nil, err
	}
	if version >= 150_000 { // before 15 every copy was made so, and there was no word for it
		s.copies = " STRATEGY file_copy"
	}
	return s, s.makeTemplate(context.Background())
})

// makeTemplate migrates a database whose name has the hash of the migrations, unless an earlier
// test program on the same server did. Test programs that start together wait for the first.
func (s *server) makeTemplate(ctx context.Context) (err error) {
	conn, err := s.pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()         //nolint:errcheck // goes back to the pool
	const lock = 7_306_931_216 // any number that nothing else locks
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", lock); err != nil {
		return err
	}
	defer func() {
		_, unlockErr := conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", lock)
		err = errors.Join(err, unlockErr)
	}()

	var ready bool
	row := conn.QueryRowContext(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", s.template)
	if err := row.Scan(&ready); err != nil || ready {
		return err
	}
	// Made under another name first, so that a half-made one is never taken for ready.
	draft := s.template + "_draft"
	for _, text := range []string{"DROP DATABASE IF EXISTS " + draft, "CREATE DATABASE " + draft} {
		if _, err := conn.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	if err := migrateAt(ctx, s.databaseURL(draft)); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "ALTER DATABASE "+draft+" RENAME TO "+s.template)
	return err
}

// migrateAt creates all tables in the database at the address.
func migrateAt(ctx context.Context, address string) error {
	d, err := db.Open(ctx, db.Config{URL: address})
	if err != nil {
		return err
	}
	_, err = db.Migrate(ctx, d, queue.Migrate)
	return errors.Join(err, d.Close())
}

// migrationsHash returns a hash of all migration files of PostgreSQL.
func migrationsHash() (string, error) {
	files, err := db.Migrations(db.Postgres)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	err = fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(files, path)
		sum.Write([]byte(path))
		sum.Write(body)
		return err
	})
	const nameBytes = 8 // of the hash, enough to be unique in the name of a database
	return hex.EncodeToString(sum.Sum(nil)[:nameBytes]), err
}
