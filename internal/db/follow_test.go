package db_test

import (
	"context"
	"database/sql"
	"net/url"
	"sync"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/relaytest"
)

// pairedConfig returns a database whose address names two relays, as if they were two machines of
// which the second has replaced the first.
func pairedConfig(t *testing.T) (where db.Config, first, second *relaytest.Relay) {
	t.Helper()
	where = dbtest.Config(t, db.Postgres)
	address, err := url.Parse(where.URL)
	if err != nil {
		t.Fatal(err)
	}
	first, second = relaytest.New(t, address.Host), relaytest.New(t, address.Host)
	address.Host = first.Addr() + "," + second.Addr()
	where.URL = address.String()
	return where, first, second
}

func TestOpen_reachesTheServerThatAnswersBesideASilentOne(t *testing.T) {
	t.Parallel()
	where, first, _ := pairedConfig(t)
	first.SetState(relaytest.Silent)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	d, err := db.Open(ctx, where)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// Several connections are idle when their server falls silent. Each ping, which may take five
// seconds, still succeeds through the other server.
func TestRead_goesOnWhenIdleConnectionsFallSilent(t *testing.T) {
	t.Parallel()
	where, first, _ := pairedConfig(t)
	d, err := db.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	idle, err := d.Reader().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	var conns []*sql.Conn
	for range 4 {
		c, err := d.Reader().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
	}
	for _, c := range conns {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// The driver asks only connections that have been idle for more than a second.
	if _, err := idle.ExecContext(t.Context(), "SELECT pg_sleep(1.1)"); err != nil {
		t.Fatal(err)
	}
	first.SetState(relaytest.Silent)
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		if err := d.Ping(ctx); err != nil {
			t.Error(err)
		}
		cancel()
	}
}

// A query that waits for a silent server fails as soon as another server was reached.
func TestRead_endsWhenAnotherServerTookThePlaceOfASilentOne(t *testing.T) {
	t.Parallel()
	where, first, _ := pairedConfig(t)
	d, err := db.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var work sync.WaitGroup
	for range 3 {
		c, err := d.Reader().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		work.Go(func() {
			defer c.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
			defer cancel()
			_, err := c.ExecContext(ctx, "SELECT pg_sleep(1000)")
			if !db.IsUnavailable(err) || ctx.Err() != nil {
				t.Errorf("got %v", err)
			}
		})
	}
	first.SetState(relaytest.Silent)
	work.Wait()
	if err := d.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}

// A query to a silent server fails after the time of the program itself, because the server does not
// enforce its own limit on statements any more.
func TestRead_endsWhenTheOnlyServerFallsSilent(t *testing.T) {
	t.Parallel()
	where := dbtest.Config(t, db.Postgres)
	address, err := url.Parse(where.URL)
	if err != nil {
		t.Fatal(err)
	}
	relay := relaytest.New(t, address.Host)
	address.Host = relay.Addr()
	where.URL = address.String()
	d, err := db.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	relay.SetState(relaytest.Silent)
	if _, err := d.Reader().ExecContext(t.Context(), "SELECT 1"); !db.IsUnavailable(err) {
		t.Errorf("got %v", err)
	}
	relay.SetState(relaytest.Open)
	if err := d.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}

// The commit takes longer than its caller waits, as a commit may that waits for a synchronous
// standby. The caller's end does not cancel it: the row is there afterwards.
func TestInTx_leavesALateCommitToTheServer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end   func(ctx context.Context) (context.Context, context.CancelFunc) // in the middle of the commit
		wants func(err error) bool
	}{
		"of a caller that goes away": {
			func(ctx context.Context) (context.Context, context.CancelFunc) {
				ctx, cancel := context.WithCancel(ctx)
				time.AfterFunc(500*time.Millisecond, cancel)
				return ctx, cancel
			},
			func(err error) bool { return err == nil }, // it returns when the server has answered
		},
		"of a caller whose time is over": {
			func(ctx context.Context) (context.Context, context.CancelFunc) {
				return context.WithTimeout(ctx, 500*time.Millisecond)
			},
			db.IsUnavailable,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := dbtest.Open(t, db.Postgres)
			makeCommitsSlow(t, d)
			ctx, cancel := c.end(t.Context())
			defer cancel()
			err := d.InTx(ctx, func(tx *db.Tx) error {
				_, err := tx.SQL.ExecContext(ctx, "INSERT INTO slow VALUES (1)")
				return err
			})
			if !c.wants(err) {
				t.Errorf("got %v", err)
			}
			// Waits for the transaction, however it ends.
			if _, err := d.Writer().ExecContext(t.Context(), "ALTER TABLE slow ADD COLUMN name text"); err != nil {
				t.Fatal(err)
			}
			var rows int
			if err := d.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM slow").Scan(&rows); err != nil || rows != 1 {
				t.Errorf("%d rows, %v", rows, err)
			}
		})
	}
}

// makeCommitsSlow makes a table slow of which each transaction takes two seconds to commit.
func makeCommitsSlow(t *testing.T, d *db.DB) {
	t.Helper()
	for _, text := range []string{
		"CREATE TABLE slow (id int)",
		"CREATE FUNCTION wait_a_while() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END'",
		"CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_a_while()",
	} {
		if _, err := d.Writer().ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
}
