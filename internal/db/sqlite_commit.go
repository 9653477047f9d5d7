package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// committer groups the commits of callers of InTx on SQLite, which has one writer at a time.
// Callers run in the order in which they came. One that finds others waiting leaves its transaction
// open for the next of them, and the last of such a batch commits for all, so that they wait for
// the disk once. No caller returns before the commit that holds its changes.
type committer struct {
	pool *sql.DB // of one connection

	mu sync.Mutex
	// busy is set while a caller writes or waits to write.
	busy bool
	// waiting are the callers in order: each receives an open batch to join, or nil to open one.
	waiting []chan *batch
}

// batch is a transaction that several callers share. It is used by one caller at a time, apart from
// flushed, and from err after flushed is closed.
type batch struct {
	conn *sql.Conn
	open driver.Tx
	// members is how many callers have run, succeeded how many of them have changes to commit.
	members, succeeded int
	// broken says that savepoints no longer work: nothing of the batch can be committed.
	broken error

	flushed chan struct{}
	// err is why nothing of the batch was committed.
	err error
}

// maxMembers bounds how long the first of a batch waits for the last.
const maxMembers = 16

// savepoint is set before a member of a batch runs; when the member fails, the changes of those
// before stay.
const savepoint = "member"

// inTx runs do in a transaction that waiting callers may share, and returns after its commit, with
// its error when it fails. It returns the error of ctx when ctx ends before do has begun; after that
// it does not end early.
func (w *committer) inTx(ctx context.Context, do func(tx *Tx) error) error {
	b, err := w.join(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	err = w.runAndHandOver(ctx, b, do)
	<-b.flushed
	if b.err != nil {
		// Also after an error of do: what it was based on may not have been committed.
		return b.err
	}
	return err
}

// runAndHandOver runs one member and hands the batch over, also when do panics.
func (w *committer) runAndHandOver(ctx context.Context, b *batch, do func(tx *Tx) error) error {
	defer w.handOver(ctx, b)
	return b.runMember(ctx, do)
}

// join waits for the caller's turn and returns the open batch, or a new one.
func (w *committer) join(ctx context.Context) (*batch, error) {
	b, err := w.waitTurn(ctx)
	if b != nil || err != nil {
		return b, err
	}
	return w.openBatch(ctx)
}

// openBatch begins a transaction. That takes seconds while another program keeps the file locked, and
// it cannot be interrupted. A caller whose context ends does not wait for it.
func (w *committer) openBatch(ctx context.Context) (*batch, error) {
	type begun struct {
		b   *batch
		err error
	}
	done := make(chan begun, 1)
	go func() {
		// The others must not lose their changes because this caller is canceled.
		b, err := newBatch(context.WithoutCancel(ctx), w.pool)
		done <- begun{b, err}
	}()
	select {
	case opened := <-done:
		if opened.err != nil {
			w.wakeNext()
		}
		return opened.b, opened.err
	case <-ctx.Done():
	}
	go func() {
		if opened := <-done; opened.err == nil {
			opened.b.flush(ctx) // nothing was done
		}
		w.wakeNext()
	}()
	return nil, ctx.Err()
}

// newBatch begins a transaction without members.
func newBatch(ctx context.Context, pool *sql.DB) (*batch, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	open, err := beginOn(ctx, conn)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return &batch{conn: conn, open: open, flushed: make(chan struct{})}, nil
}

// waitTurn waits until the caller may write. It returns the open batch to join, or nil when the
// caller has to open one. When it returns no error, even after ctx has ended, the caller must write
// or let the next caller do so.
func (w *committer) waitTurn(ctx context.Context) (*batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.mu.Lock()
	if !w.busy {
		w.busy = true
		w.mu.Unlock()
		return nil, nil
	}
	turn := make(chan *batch, 1)
	w.waiting = append(w.waiting, turn)
	w.mu.Unlock()
	select {
	case b := <-turn:
		return b, nil
	case <-ctx.Done():
	}
	w.mu.Lock()
	if i := slices.Index(w.waiting, turn); i >= 0 {
		w.waiting = slices.Delete(w.waiting, i, i+1)
		w.mu.Unlock()
		return nil, ctx.Err()
	}
	w.mu.Unlock()
	// The turn came just as ctx ended. The others wait for the caller to use it or to pass it on.
	return <-turn, nil
}

// handOver passes the batch to the next caller. It flushes the batch when no caller waits or the batch
// may not grow.
func (w *committer) handOver(ctx context.Context, b *batch) {
	w.mu.Lock()
	if b.succeeded > 0 && b.members < maxMembers && b.broken == nil && len(w.waiting) > 0 {
		next := w.popWaiting()
		w.mu.Unlock()
		next <- b
		return
	}
	w.mu.Unlock()
	b.flush(ctx)
	w.wakeNext()
}

// wakeNext lets the next caller open a batch. When none waits, the committer is free for the next.
func (w *committer) wakeNext() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting) == 0 {
		w.busy = false
		return
	}
	w.popWaiting() <- nil
}

// popWaiting removes the first caller from the queue and returns its channel. The queue must not be
// empty, and the caller of popWaiting must hold w.mu.
func (w *committer) popWaiting() chan *batch {
	first := w.waiting[0]
	w.waiting = slices.Delete(w.waiting, 0, 1)
	return first
}

// runMember runs a member's function. Unless do returns nil, its changes are undone. When a savepoint
// cannot be set, undone or released, the batch is broken, and nothing of it is committed.
func (b *batch) runMember(ctx context.Context, do func(tx *Tx) error) error {
	b.members++
	if err := ctx.Err(); err != nil {
		return err
	}
	if !b.execSavepoint(ctx, "SAVEPOINT "+savepoint) {
		return b.broken
	}
	done := false
	defer func() {
		if !done && b.execSavepoint(ctx, "ROLLBACK TO "+savepoint) {
			b.execSavepoint(ctx, "RELEASE "+savepoint)
		}
	}()
	if err := newTx(b.conn, SQLite).run(do); err != nil {
		return err
	}
	if !b.execSavepoint(ctx, "RELEASE "+savepoint) {
		return b.broken
	}
	done = true
	b.succeeded++
	return nil
}

// execSavepoint runs a statement about the savepoint, and reports whether the batch is intact. It
// does nothing while no member has succeeded: a failure can roll the whole transaction back then.
// It runs also for a canceled caller.
func (b *batch) execSavepoint(ctx context.Context, statement string) bool {
	if b.succeeded == 0 {
		return true
	}
	if _, err := b.conn.ExecContext(context.WithoutCancel(ctx), statement); err != nil && b.broken == nil {
		b.broken = err
	}
	return b.broken == nil
}

// flush commits the changes of the members, or rolls back when there are none or the batch is
// broken, and lets the members return. The end of ctx does not interrupt it.
func (b *batch) flush(ctx context.Context) {
	defer close(b.flushed)
	defer b.conn.Close() //nolint:errcheck // the pool drops a broken one
	ctx = context.WithoutCancel(ctx)
	switch {
	case b.broken != nil:
		b.err = fmt.Errorf("group commit: %w", b.broken)
	case b.succeeded > 0:
		if err := endOn(ctx, b.conn, b.open.Commit); err != nil {
			b.err = fmt.Errorf("commit: %w", err)
		}
		return
	}
	_ = endOn(ctx, b.conn, b.open.Rollback) // nothing is kept either way
}
