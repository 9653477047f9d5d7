package db_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/gen"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 250_000_000, time.UTC)

// sessionParams returns a session with a token that ends an hour after noon.
func sessionParams(token string) gen.InsertSessionParams {
	return gen.InsertSessionParams{
		TokenHash: []byte(token), Site: "sushi", Now: noon, ExpiresAt: noon.Add(time.Hour),
	}
}

// insertSession inserts a session with a token in a transaction and returns its id.
func insertSession(ctx context.Context, d *db.DB, token string) (id int64, err error) {
	err = d.InTx(ctx, func(tx *db.Tx) error {
		id, err = tx.Q.InsertSession(ctx, sessionParams(token))
		return err
	})
	return id, err
}

func TestInTx_storesValuesThatReadReturnsUnchanged(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		id, err := insertSession(ctx, d, "a")
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Read().FindSession(ctx, gen.FindSessionParams{TokenHash: []byte("a"), Site: "sushi", Now: noon})
		if err != nil {
			t.Fatal(err)
		}
		want := gen.FindSessionRow{ID: id, SeenAt: noon, ExpiresAt: noon.Add(time.Hour)}
		if got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		_, err = d.Read().FindSession(ctx, gen.FindSessionParams{TokenHash: []byte("a"), Site: "sushi", Now: noon.Add(time.Hour)})
		if !errors.Is(err, db.ErrNotFound) {
			t.Errorf("an expired session: %v, want ErrNotFound", err)
		}
	})
}

func TestInstants_sortWhateverTheirZoneAndFraction(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		whole := noon.Truncate(time.Second)
		params := sessionParams("a")
		params.ExpiresAt = whole.In(time.FixedZone("east", 5*3600))
		if _, err := d.Writer().ExecContext(ctx, "DELETE FROM session"); err != nil {
			t.Fatal(err)
		}
		err := d.InTx(ctx, func(tx *db.Tx) error {
			_, err := tx.Q.InsertSession(ctx, params)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			now  time.Time
			gone int64
		}{
			{whole.Add(-time.Millisecond), 0},
			{whole.Add(time.Millisecond), 1},
		} {
			err := d.InTx(ctx, func(tx *db.Tx) error {
				n, err := tx.Q.DeleteExpiredSessions(ctx, c.now)
				if n != c.gone {
					t.Errorf("at %v %d are gone, want %d", c.now, n, c.gone)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestInTx_rollsBackAfterAnErrorOrAPanic(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		refused := errors.New("refused")
		err := d.InTx(ctx, func(tx *db.Tx) error {
			if _, err := tx.Q.InsertSession(ctx, sessionParams("a")); err != nil {
				return err
			}
			return refused
		})
		if !errors.Is(err, refused) {
			t.Errorf("InTx = %v, want the error of the function", err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic is swallowed")
				}
			}()
			_ = d.InTx(ctx, func(tx *db.Tx) error {
				if _, err := tx.Q.InsertSession(ctx, sessionParams("a")); err != nil {
					return err
				}
				panic("a bug")
			})
		}()
		if _, err := insertSession(ctx, d, "a"); err != nil {
			t.Errorf("after both the token is free, but: %v", err)
		}
	})
}

func TestIsDuplicate_namesRefusalsAlikeOnBothEngines(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		id, err := insertSession(ctx, d, "a")
		if err != nil {
			t.Fatal(err)
		}
		_, err = insertSession(ctx, d, "a")
		if !db.IsDuplicate(err, "session", "token_hash") || !db.IsDuplicate(err, "session") {
			t.Errorf("%v is not a duplicate", err)
		}
		if db.IsDuplicate(err, "session", "id") || db.IsDuplicate(err, "idempotency") || db.IsBrokenReference(err) || db.IsRefused(err) {
			t.Errorf("%v is taken for something else", err)
		}

		for range 2 {
			_, err = d.Writer().ExecContext(ctx, "INSERT INTO idempotency (session_id, key, request_hash, status, created_at) VALUES ($1, 'k', $2, 0, $3)", id, []byte("h"), noon)
		}
		if !db.IsDuplicate(err, "idempotency", "session_id", "key") {
			t.Errorf("%v is not a duplicate of both columns", err)
		}

		err = d.InTx(ctx, func(tx *db.Tx) error {
			_, err := tx.Q.KeepCartAnswer(ctx, gen.KeepCartAnswerParams{SessionID: id + 1, Key: "k", RequestHash: []byte("h"), Now: noon})
			return err
		})
		if !db.IsBrokenReference(err) {
			t.Errorf("%v is not a broken reference", err)
		}

		_, err = d.Writer().ExecContext(ctx, "UPDATE session SET site = NULL")
		if !db.IsRefused(err) {
			t.Errorf("%v is not a refusal", err)
		}
	})
}

func TestKeepCartAnswer_insertsNothingForAUsedKey(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		id, err := insertSession(ctx, d, "a")
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []int64{1, 0} {
			err := d.InTx(ctx, func(tx *db.Tx) error {
				n, err := tx.Q.KeepCartAnswer(ctx, gen.KeepCartAnswerParams{SessionID: id, Key: "k", RequestHash: []byte("h"), Now: noon})
				if n != want {
					t.Errorf("%d rows, want %d", n, want)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestInTx_runsAgainAfterADeadlock(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		ids := make([]int64, 2)
		for i, token := range []string{"a", "b"} {
			var err error
			if ids[i], err = insertSession(ctx, d, token); err != nil {
				t.Fatal(err)
			}
		}
		// Two transactions update the same two rows in opposite order. On PostgreSQL each first waits
		// until the other has updated its first row; SQLite runs them one by one.
		var held, work sync.WaitGroup
		if d.Engine() == db.Postgres {
			held.Add(2)
		}
		for i := range ids {
			work.Go(func() {
				waitForOther := sync.OnceFunc(func() { // not when the transaction runs again
					if d.Engine() == db.Postgres {
						held.Done()
						held.Wait()
					}
				})
				err := d.InTx(ctx, func(tx *db.Tx) error {
					for j := range ids {
						touch := gen.TouchSessionParams{Now: noon, ExpiresAt: noon, ID: ids[(i+j)%2]}
						if err := tx.Q.TouchSession(ctx, touch); err != nil {
							return err
						}
						waitForOther()
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		work.Wait()
	})
}

func TestRead_refusesAWriteOnSQLite(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	_, err := d.Reader().ExecContext(t.Context(), "DELETE FROM session")
	if err == nil || !strings.Contains(err.Error(), "readonly") {
		t.Errorf("a write through a reader: %v", err)
	}
}

func TestMigrate_changesNothingTheSecondTime(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		n, err := db.Migrate(t.Context(), d)
		if err != nil || n != 0 {
			t.Errorf("Migrate = %d, %v; want no change", n, err)
		}
	})
}

func TestMigrate_runsOnceForProcessesThatStartTogether(t *testing.T) {
	t.Parallel()
	cfg := dbtest.Config(t, db.Postgres)
	first, err := db.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Writer().ExecContext(t.Context(), "CREATE SCHEMA fresh"); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	cfg.URL += "&search_path=fresh"
	changes := make([]int, 4)
	var work sync.WaitGroup
	for i := range changes {
		work.Go(func() {
			d, err := db.Open(t.Context(), cfg)
			if err != nil {
				t.Error(err)
				return
			}
			if changes[i], err = db.Migrate(t.Context(), d); err != nil {
				t.Error(err)
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	busy := 0
	for _, n := range changes {
		if n > 0 {
			busy++
		}
	}
	if busy != 1 {
		t.Errorf("changes by process: %v, want one to do them all", changes)
	}
}

func TestOpen_refusesAddressesOfOtherDatabases(t *testing.T) {
	t.Parallel()
	if _, err := db.Open(t.Context(), db.Config{URL: "mysql://localhost"}); err == nil {
		t.Error("mysql is accepted")
	}
	if _, err := db.Open(t.Context(), db.Config{Dir: t.TempDir() + "/missing"}); err == nil {
		t.Error("a missing data folder is accepted")
	}
}

func TestReadSnapshot_seesNothingThatIsCommittedSince(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		find := func(q *gen.Queries, token string) error {
			_, err := q.FindSession(ctx, gen.FindSessionParams{TokenHash: []byte(token), Site: "sushi", Now: noon})
			return err
		}
		if _, err := insertSession(ctx, d, "before"); err != nil {
			t.Fatal(err)
		}
		wanted := errors.New("of the function")
		err := d.ReadSnapshot(ctx, func(s db.Snapshot) error {
			if err := find(s.Q, "before"); err != nil {
				return err
			}
			if _, err := insertSession(ctx, d, "since"); err != nil { // a write does not wait for the snapshot
				return err
			}
			if err := find(d.Read(), "since"); err != nil {
				return err
			}
			if err := find(s.Q, "since"); !errors.Is(err, db.ErrNotFound) {
				t.Errorf("a row that was committed since: %v, want ErrNotFound", err)
			}
			if _, err := s.Q.InsertSession(ctx, sessionParams("written")); err == nil {
				t.Error("a snapshot can be written to")
			}
			return wanted
		})
		if !errors.Is(err, wanted) {
			t.Error(err)
		}
		if err := find(d.Read(), "written"); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("a row of a snapshot: %v, want ErrNotFound", err)
		}
	})
}

func TestConnections_areThoseOfPostgreSQL(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		want := map[db.Engine]int{db.SQLite: 0, db.Postgres: d.Writer().Stats().MaxOpenConnections}[d.Engine()]
		if got := d.Connections(); got != want || d.Engine() == db.Postgres && got == 0 {
			t.Errorf("%d connections, want %d", got, want)
		}
	})
}
