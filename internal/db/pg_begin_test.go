package db_test

import (
	"bytes"
	"cmp"
	"errors"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// The beginning of a transaction is sent with its first statement, and the driver reads of the server's
// answer what belongs to the statement, in however many pieces it comes.
func TestOpening_sendsTheBeginningWithTheFirstStatement(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]struct{ statement, answer string }{
		"a prepared statement": {"B\x00\x00\x00\x04", db.GroupedAnswer},
		"a simple statement":   {"Q\x00\x00\x00\x0bcommit\x00", db.Begun},
	} {
		var o db.Opening
		if sent := o.OnWrite([]byte(db.Begin)); sent != nil {
			t.Errorf("%s: the beginning is sent alone: %q", name, sent)
		}
		var answered []byte
		for piece := make([]byte, 5); ; {
			n := o.Answer(piece)
			if n == 0 {
				break
			}
			answered = append(answered, piece[:n]...)
		}
		if string(answered) != db.Begun {
			t.Errorf("%s: the driver reads %q in answer to its beginning", name, answered)
		}
		sent := o.OnWrite([]byte(kind.statement))
		if !bytes.HasSuffix(sent, []byte(kind.statement)) || !bytes.Contains(sent, []byte("begin isolation level read committed")) {
			t.Errorf("%s: sent %q", name, sent)
		}
		if again := o.OnWrite([]byte(kind.statement)); string(again) != kind.statement {
			t.Errorf("%s: the second statement is sent as %q", name, again)
		}
		var read []byte
		for _, b := range []byte(kind.answer + "the answer") {
			piece := []byte{b}
			n, err := o.OnRead(piece)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			read = append(read, piece[:n]...)
		}
		if string(read) != "the answer" {
			t.Errorf("%s: the driver reads %q", name, read)
		}
	}
}

// The driver may wait for the server while nothing is under way, after a slow write. What it waits for is the
// server's answer to the beginning then, which is sent at once.
func TestOpening_isSentAtOnceWhileTheDriverReads(t *testing.T) {
	t.Parallel()
	var o db.Opening
	if n := o.Answer(make([]byte, 5)); n != 0 {
		t.Fatalf("%d bytes are answered to nothing", n)
	}
	if sent := o.OnWrite([]byte(db.Begin)); string(sent) != db.Begin {
		t.Errorf("sent %q", sent)
	}
	answer := []byte(db.Begun)
	if n, err := o.OnRead(answer); err != nil || n != len(answer) {
		t.Errorf("%d bytes of the answer are left: %v", n, err)
	}
	if sent := o.OnWrite([]byte(db.Begin)); sent != nil {
		t.Errorf("when nothing is read any more, %q is sent", sent)
	}
}

// A server that refuses to begin refuses the statement with it; a server that answers something else is not
// used any more.
func TestOpening_leavesARefusalToTheDriver(t *testing.T) {
	t.Parallel()
	begin := func() *db.Opening {
		o := &db.Opening{}
		o.OnWrite([]byte(db.Begin))
		o.OnWrite([]byte("B\x00\x00\x00\x04"))
		return o
	}
	refusal := []byte("E\x00\x00\x00\x06S\x00Z\x00\x00\x00\x05I")
	if n, err := begin().OnRead(bytes.Clone(refusal)); err != nil || n != len(refusal) {
		t.Errorf("of a refusal %d bytes are left, want %d: %v", n, len(refusal), err)
	}
	if _, err := begin().OnRead([]byte("N\x00\x00\x00\x06S\x00")); !errors.Is(err, db.ErrUnexpectedBegin) {
		t.Errorf("a notice before the answer: %v", err)
	}
}

// What a transaction writes is there after its commit alone, whatever its first statement is, and also when it
// has none.
func TestInTx_beginsWithWhateverStatementIsFirst(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const plain, withArgument = "UPDATE installation SET starts = 1", "UPDATE installation SET starts = $1"
		errUndo := errors.New("undo")
		for _, do := range []struct {
			name      string
			statement string
			args      []any
			result    error
			starts    int
		}{
			{"no statement", "", nil, nil, 0},
			{"undone", plain, nil, errUndo, 0},
			{"kept", plain, nil, nil, 1},
			{"with an argument, undone", withArgument, []any{2}, errUndo, 1},
			{"with an argument, kept", withArgument, []any{2}, nil, 2},
			{"and once more, when the statement is prepared", withArgument, []any{3}, errUndo, 2},
		} {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				if do.statement == "" {
					return do.result
				}
				_, err := tx.SQL.ExecContext(t.Context(), do.statement, do.args...)
				return cmp.Or(err, do.result)
			})
			if !errors.Is(err, do.result) {
				t.Errorf("%s: %v, want %v", do.name, err, do.result)
			}
			var starts int
			if err := d.Reader().QueryRowContext(t.Context(), "SELECT starts FROM installation").Scan(&starts); err != nil || starts != do.starts {
				t.Errorf("%s: %d, want %d: %v", do.name, starts, do.starts, err)
			}
		}
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.SQL.ExecContext(t.Context(), "UPDATE installation SET starts = $1 WHERE no_such_column = 1", 4)
			return err
		})
		if err == nil {
			t.Error("a first statement that fails is no error")
		}
	})
}
