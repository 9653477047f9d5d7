package db_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// line is a queue of callers of InTx on SQLite. The first holds up all others until run is called.
type line struct {
	t       *testing.T
	d       *db.DB
	open    chan struct{} // closed to let the first go on
	callers sync.WaitGroup
}

// beginLine begins a line with a first caller that inserts a session with the token first.
func beginLine(t *testing.T, d *db.DB, first string) (l *line, err *error) {
	t.Helper()
	l = &line{t: t, d: d, open: make(chan struct{})}
	begun := make(chan struct{})
	err = l.start(t.Context(), func(tx *db.Tx) error {
		close(begun)
		<-l.open
		return insertIn(tx, first)
	})
	<-begun
	return l, err
}

// join adds a caller at the end of the line. The result of InTx is there after run.
func (l *line) join(ctx context.Context, do func(tx *db.Tx) error) *error {
	before := l.d.Waiting()
	err := l.start(ctx, do)
	l.awaitWaiting(before + 1)
	return err
}

// start runs do in a transaction in the background. The result of InTx, or its panic, is there after run.
func (l *line) start(ctx context.Context, do func(tx *db.Tx) error) *error {
	err := new(error)
	l.callers.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				*err = fmt.Errorf("panic: %v", p)
			}
		}()
		*err = l.d.InTx(ctx, do)
	})
	return err
}

// awaitWaiting returns once the number of callers that wait for their turn is waiting.
func (l *line) awaitWaiting(waiting int) {
	for l.d.Waiting() != waiting {
		runtime.Gosched()
	}
}

// run lets the first go on and waits for all.
func (l *line) run() {
	close(l.open)
	l.callers.Wait()
}

// insertIn inserts a session with a token in a transaction that is open.
func insertIn(tx *db.Tx, token string) error {
	_, err := tx.Q.InsertSession(context.Background(), sessionParams(token))
	return err
}

// inserter returns a function for InTx that inserts a session with a token.
func inserter(token string) func(tx *db.Tx) error {
	return func(tx *db.Tx) error { return insertIn(tx, token) }
}

// countSessions returns how many committed sessions a reader sees.
func countSessions(t *testing.T, d *db.DB) (n int) {
	t.Helper()
	if err := d.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM session").Scan(&n); err != nil {
		t.Error(err)
	}
	return n
}

func TestCommitter_commitsWaitingCallersTogetherInTheirOrder(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	l, first := beginLine(t, d, "0")
	errs := []*error{first}
	var order, seen []int
	const callers = db.MaxMembers + 3
	for i := 1; i < callers; i++ {
		errs = append(errs, l.join(t.Context(), func(tx *db.Tx) error {
			order, seen = append(order, i), append(seen, countSessions(t, d)) // one at a time
			return insertIn(tx, fmt.Sprint(i))
		}))
	}
	l.run()
	for i, err := range errs {
		if *err != nil {
			t.Errorf("caller %d: %v", i, *err)
		}
	}
	if len(order) != callers-1 || !slices.IsSorted(order) {
		t.Errorf("they came in the order %v", order)
	}
	want := slices.Concat(slices.Repeat([]int{0}, db.MaxMembers-1), slices.Repeat([]int{db.MaxMembers}, 3))
	if !slices.Equal(seen, want) {
		t.Errorf("others saw %v rows while each wrote, want %v", seen, want)
	}
	if got := countSessions(t, d); got != callers {
		t.Errorf("%d rows, want %d", got, callers)
	}
}

func TestCommitter_undoesOnlyTheChangesOfAFailedMember(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	l, first := beginLine(t, d, "first")
	refused := errors.New("refused")
	second := l.join(t.Context(), func(tx *db.Tx) error { return errors.Join(insertIn(tx, "second"), refused) })
	third := l.join(t.Context(), func(tx *db.Tx) error { panic(insertIn(tx, "third")) })
	hung, hangUp := context.WithCancel(t.Context())
	fourth := l.join(hung, func(tx *db.Tx) error {
		if err := insertIn(tx, "fourth"); err != nil {
			return err
		}
		hangUp()
		_, err := tx.Q.InsertSession(hung, sessionParams("fourth too"))
		return err
	})
	duplicate := l.join(t.Context(), inserter("first"))
	last := l.join(t.Context(), inserter("last"))
	l.run()
	if *first != nil || *last != nil {
		t.Errorf("the first: %v, the last: %v", *first, *last)
	}
	if !errors.Is(*second, refused) || *third == nil || !errors.Is(*fourth, context.Canceled) || !db.IsDuplicate(*duplicate, "session", "token_hash") {
		t.Errorf("the others: %v; %v; %v; %v", *second, *third, *fourth, *duplicate)
	}
	if got := countSessions(t, d); got != 2 {
		t.Errorf("%d rows, want those of the first and the last", got)
	}
}

func TestCommitter_opensANewTransactionAfterTheFirstMemberFails(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	if _, err := insertSession(t.Context(), d, "taken"); err != nil {
		t.Fatal(err)
	}
	l, first := beginLine(t, d, "taken")
	second, third := l.join(t.Context(), inserter("second")), l.join(t.Context(), inserter("third"))
	l.run()
	if !db.IsDuplicate(*first, "session") || *second != nil || *third != nil || countSessions(t, d) != 3 {
		t.Errorf("%v, %v, %v, %d rows", *first, *second, *third, countSessions(t, d))
	}
}

func TestCommitter_returnsAFailedCommitToAllMembers(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	l, first := beginLine(t, d, "first")
	own := errors.New("what others did was in the way")
	all := []*error{
		first, l.join(t.Context(), inserter("second")),
		l.join(t.Context(), func(tx *db.Tx) error { // a row of a session that is not there, seen at the commit
			for _, text := range []string{
				"PRAGMA defer_foreign_keys = 1",
				"INSERT INTO idempotency (session_id, key, request_hash, status, body, created_at) VALUES (-1, 'k', x'00', 200, x'00', '')",
			} {
				if _, err := tx.SQL.ExecContext(t.Context(), text); err != nil {
					t.Error(err)
				}
			}
			return nil
		}),
		l.join(t.Context(), func(*db.Tx) error { return own }),
	}
	l.run()
	for i, err := range all {
		if !db.IsBrokenReference(*err) {
			t.Errorf("caller %d: %v, want the error of the commit", i, *err)
		}
	}
	if _, err := insertSession(t.Context(), d, "next"); err != nil || countSessions(t, d) != 1 {
		t.Errorf("afterwards: %v, %d rows", err, countSessions(t, d))
	}
}

// A full disk may make SQLite roll back everything in the middle.
func TestCommitter_returnsALostTransactionToAllMembers(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	l, first := beginLine(t, d, "first")
	second := l.join(t.Context(), func(tx *db.Tx) error {
		_, err := tx.SQL.ExecContext(t.Context(), "ROLLBACK")
		return err
	})
	third := l.join(t.Context(), inserter("third"))
	l.run()
	if *first == nil || *second == nil || *third != nil || countSessions(t, d) != 1 {
		t.Errorf("%v, %v, %v, %d rows", *first, *second, *third, countSessions(t, d))
	}
}

func TestCommitter_doesNotRunACallerCanceledBeforeItsTurn(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, db.SQLite)
	l, first := beginLine(t, d, "first")
	ctx, cancel := context.WithCancel(t.Context())
	gone := l.join(ctx, inserter("gone"))
	last := l.join(t.Context(), inserter("last"))
	cancel()
	l.awaitWaiting(1)
	l.run()
	if *first != nil || *last != nil || !errors.Is(*gone, context.Canceled) || countSessions(t, d) != 2 {
		t.Errorf("%v, %v, %v, %d rows", *first, *last, *gone, countSessions(t, d))
	}
	if err := d.InTx(ctx, inserter("late")); !errors.Is(err, context.Canceled) {
		t.Errorf("begun after the caller hung up: %v", err)
	}
}

func TestInTx_keepsExactlyWhatSucceededOfManyWriters(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		refused := errors.New("refused")
		var kept atomic.Int64
		var work sync.WaitGroup
		for caller := range 24 {
			work.Go(func() {
				for n := range 20 {
					ctx, cancel := context.WithCancel(t.Context())
					err := d.InTx(ctx, func(tx *db.Tx) error {
						switch err := insertIn(tx, fmt.Sprint(caller, " ", n)); {
						case err != nil:
							return err
						case n%5 == 1:
							return refused
						case n%5 == 2:
							cancel()
							return ctx.Err()
						}
						return nil
					})
					cancel()
					switch {
					case err == nil:
						kept.Add(1)
					case n%5 != 1 && n%5 != 2:
						t.Errorf("caller %d, call %d: %v", caller, n, err)
					}
				}
			})
		}
		work.Wait()
		if got := countSessions(t, d); int64(got) != kept.Load() || got != 24*12 {
			t.Errorf("%d rows, %d calls succeeded", got, kept.Load())
		}
	})
}
