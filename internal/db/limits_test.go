package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestOpen_setsUpSessionsWhateverTheServersDefaultsAre(t *testing.T) {
	t.Parallel()
	where := dbtest.Config(t, db.Postgres)
	admin, err := db.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"default_transaction_isolation = 'serializable'", "statement_timeout = 0", "plan_cache_mode = auto"} {
		var name string
		if err := admin.Reader().QueryRowContext(t.Context(), "SELECT current_database()").Scan(&name); err != nil {
			t.Fatal(err)
		}
		if _, err := admin.Writer().ExecContext(t.Context(), fmt.Sprintf("ALTER DATABASE %s SET %s", name, text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := admin.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for name, want := range map[string]string{
		"transaction_isolation": "read committed", "statement_timeout": "8s", "lock_timeout": "4s", "idle_in_transaction_session_timeout": "15s",
		"plan_cache_mode": "force_generic_plan",
	} {
		var got string
		if err := d.Reader().QueryRowContext(t.Context(), "SHOW "+name).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
	err = d.InTx(t.Context(), func(tx *db.Tx) error {
		var got string
		if err := tx.SQL.QueryRowContext(t.Context(), "SHOW transaction_isolation").Scan(&got); err != nil || got != "read committed" {
			t.Errorf("a transaction is at %q, %v", got, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestOpen_leavesLimitsThatTheAddressNames(t *testing.T) {
	t.Parallel()
	where := dbtest.Config(t, db.Postgres)
	where.URL += "&statement_timeout=60000"
	d, err := db.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var got string
	if err := d.Reader().QueryRowContext(t.Context(), "SHOW statement_timeout").Scan(&got); err != nil || got != "1min" {
		t.Errorf("statement_timeout is %q, %v", got, err)
	}
}

// A server accepts the connection and never answers, as a machine that has stopped.
func TestOpen_endsWithTheDeadlineWhenNothingAnswers(t *testing.T) {
	t.Parallel()
	silent, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = db.Open(ctx, db.Config{URL: "postgres://nobody@" + silent.Addr().String() + "/none?sslmode=disable"})
	if !db.IsUnavailable(err) {
		t.Errorf("got %v", err)
	}
}

func TestIsUnavailable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"no error":          {nil, false},
		"a bug":             {errors.New("a bug"), false},
		"no row":            {sql.ErrNoRows, false},
		"deadline":          {fmt.Errorf("read: %w", context.DeadlineExceeded), true},
		"caller hung up":    {context.Canceled, false},
		"cut connection":    {fmt.Errorf("read: %w", io.ErrUnexpectedEOF), true},
		"refused":           {&net.OpError{Op: "dial", Err: errors.New("connection refused")}, true},
		"shutdown":          {&pgconn.PgError{Code: "57P01"}, true},
		"statement timeout": {&pgconn.PgError{Code: "57014"}, true},
		"lock timeout":      {&pgconn.PgError{Code: "55P03"}, true},
		"disk full":         {&pgconn.PgError{Code: "53100"}, true},
		"too many clients":  {&pgconn.PgError{Code: "53300"}, true},
		"standby":           {&pgconn.PgError{Code: "25006"}, true},
		"serialization":     {&pgconn.PgError{Code: "40001"}, true},
		"syntax":            {&pgconn.PgError{Code: "42601"}, false},
		"unique":            {&pgconn.PgError{Code: "23505"}, false},
	} {
		if got := db.IsUnavailable(c.err); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestIsUnavailable_ofCodesOfSQLite(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]bool{
		5:         true,  // SQLITE_BUSY
		15:        true,  // SQLITE_PROTOCOL, while a frozen process holds the locks of the log
		10 | 4<<8: true,  // SQLITE_IOERR_FSYNC
		1:         false, // SQLITE_ERROR
		11:        false, // SQLITE_CORRUPT
		19:        false, // SQLITE_CONSTRAINT
	} {
		if got := db.IsSQLiteUnavailable(code); got != want {
			t.Errorf("%d: %t", code, got)
		}
	}
}

// A limit of the file's size stands in for a disk that is full.
func TestIsUnavailable_fullSQLite(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	if _, err := d.Writer().ExecContext(t.Context(), "PRAGMA max_page_count = 1"); err != nil {
		t.Fatal(err)
	}
	var err error
	for n := 0; err == nil && n < 10_000; n++ {
		_, err = insertSession(t.Context(), d, fmt.Sprint("token ", n))
	}
	if !db.IsUnavailable(err) {
		t.Errorf("a full database says %v", err)
	}
}
