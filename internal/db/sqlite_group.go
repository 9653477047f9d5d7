package db

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"

	"servery/internal/db/gen"
)

// writers let the callers of InTx on SQLite in one at a time, in the order in which they
// came. Who finds others waiting leaves his transaction open for the next of them, and
// the last of such a group commits for all: they wait for the disk once instead of each
// for himself. Nobody comes back before the commit that holds what he did.
type writers struct {
	pool *sql.DB // of one connection

	mu      sync.Mutex
	busy    bool
	waiting []chan *group // the turn comes through it: into an open group, or nil to open one
}

// group is a transaction that several callers share. It is touched by the one whose turn
// it is, apart from ended, and from err after ended is closed.
type group struct {
	tx *sql.Tx
	// turns is how many had theirs, kept how many of them did something that stays.
	turns, kept int
	// broken says that savepoints no longer work: nothing of the group can be kept.
	broken error

	ended chan struct{}
	err   error // why nothing of the group was kept
}

// mostTurns bounds how long the first of a group waits for the last.
const mostTurns = 16

// savepoint is where a member begins after others; what they did stays when he fails.
const savepoint = "member"

// inTx is [DB.InTx]. Once begun it does not end early when ctx does, unless do gives an
// error; who is still waiting for his turn then, leaves.
func (w *writers) inTx(ctx context.Context, do func(tx *Tx) error) error {
	g, err := w.enter(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	err = w.take(ctx, g, do)
	<-g.ended
	if g.err != nil {
		// Also after an error of his own: what it came from may never have been.
		return g.err
	}
	return err
}

// take is one member's turn, which ends also when do panics.
func (w *writers) take(ctx context.Context, g *group, do func(tx *Tx) error) error {
	defer w.leave(g)
	return g.run(ctx, do)
}

// enter waits for the turn and gives the open group, or a new one.
func (w *writers) enter(ctx context.Context) (*group, error) {
	g, err := w.wait(ctx)
	if g != nil || err != nil {
		return g, err
	}
	return w.open(ctx)
}

// open begins a transaction. While another program keeps the file locked that takes seconds,
// and cannot be interrupted: a caller whose time is over does not wait for it.
func (w *writers) open(ctx context.Context) (*group, error) {
	type begun struct {
		tx  *sql.Tx
		err error
	}
	done := make(chan begun, 1)
	go func() {
		// The others must not lose what they did because this one hangs up.
		tx, err := w.pool.BeginTx(context.WithoutCancel(ctx), nil)
		done <- begun{tx, err}
	}()
	select {
	case b := <-done:
		if b.err != nil {
			w.pass()
			return nil, b.err
		}
		return &group{tx: b.tx, ended: make(chan struct{})}, nil
	case <-ctx.Done():
	}
	go func() {
		if b := <-done; b.err == nil {
			b.tx.Rollback() //nolint:errcheck // nothing was done
		}
		w.pass()
	}()
	return nil, ctx.Err()
}

func (w *writers) wait(ctx context.Context) (*group, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.mu.Lock()
	if !w.busy {
		w.busy = true
		w.mu.Unlock()
		return nil, nil
	}
	turn := make(chan *group, 1)
	w.waiting = append(w.waiting, turn)
	w.mu.Unlock()
	select {
	case g := <-turn:
		return g, nil
	case <-ctx.Done():
	}
	w.mu.Lock()
	if i := slices.Index(w.waiting, turn); i >= 0 {
		w.waiting = slices.Delete(w.waiting, i, i+1)
		w.mu.Unlock()
		return nil, ctx.Err()
	}
	w.mu.Unlock()
	return <-turn, nil // it came meanwhile, and others count on its being passed on
}

// leave passes the turn on: with the group where it may go on, after its end where not.
func (w *writers) leave(g *group) {
	w.mu.Lock()
	if g.kept > 0 && g.turns < mostTurns && g.broken == nil && len(w.waiting) > 0 {
		turn := w.next()
		w.mu.Unlock()
		turn <- g
		return
	}
	w.mu.Unlock()
	g.end()
	w.pass()
}

// pass lets the next in who opens a group.
func (w *writers) pass() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting) == 0 {
		w.busy = false
		return
	}
	w.next() <- nil
}

// next takes the first out of the queue, which is not empty.
func (w *writers) next() chan *group {
	turn := w.waiting[0]
	w.waiting = slices.Delete(w.waiting, 0, 1)
	return turn
}

// run does a member's part. What he did is undone unless do gives nil, and so is all of
// the group where that cannot be done.
func (g *group) run(ctx context.Context, do func(tx *Tx) error) error {
	g.turns++
	if err := ctx.Err(); err != nil {
		return err
	}
	if !g.mark(ctx, "SAVEPOINT "+savepoint) {
		return g.broken
	}
	done := false
	defer func() {
		if !done && g.mark(ctx, "ROLLBACK TO "+savepoint) {
			g.mark(ctx, "RELEASE "+savepoint)
		}
	}()
	if err := do(&Tx{Q: gen.New(g.tx), SQL: g.tx, Engine: SQLite}); err != nil {
		return err
	}
	if !g.mark(ctx, "RELEASE "+savepoint) {
		return g.broken
	}
	done = true
	g.kept++
	return nil
}

// mark runs a statement about the savepoint. Where there is nothing yet to keep when a
// member fails, none is needed. It runs also for who has hung up.
func (g *group) mark(ctx context.Context, statement string) bool {
	if g.kept == 0 {
		return true
	}
	if _, err := g.tx.ExecContext(context.WithoutCancel(ctx), statement); err != nil && g.broken == nil {
		g.broken = err
	}
	return g.broken == nil
}

// end commits what the members did, or rolls it back when they did nothing or the group
// is broken, and lets them go.
func (g *group) end() {
	defer close(g.ended)
	switch {
	case g.broken != nil:
		g.err = fmt.Errorf("share a transaction: %w", g.broken)
	case g.kept > 0:
		if err := g.tx.Commit(); err != nil {
			g.err = fmt.Errorf("commit: %w", err)
		}
		return
	}
	g.tx.Rollback() //nolint:errcheck // nothing is kept either way
}
