package db_test

import (
	"bytes"
	"cmp"
	"errors"
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// Messages of the protocol, each with its length: a prepared statement that returns no rows, one that returns some, and
// what a server answers.
const (
	writing  = "B\x00\x00\x00\x05x" + "D\x00\x00\x00\x06P\x00" + "E\x00\x00\x00\x09\x00\x00\x00\x00\x00" + "S\x00\x00\x00\x04"
	reading  = "B\x00\x00\x00\x05y" + "E\x00\x00\x00\x09\x00\x00\x00\x00\x00" + "S\x00\x00\x00\x04"
	preceded = "1\x00\x00\x00\x04" + "2\x00\x00\x00\x04" // the answer to a text, in a group
	ofBegin  = preceded + "n\x00\x00\x00\x04" + "C\x00\x00\x00\x0aBEGIN\x00"
	ofWrite  = "2\x00\x00\x00\x04" + "n\x00\x00\x00\x04" + "C\x00\x00\x00\x0fINSERT 0 1\x00"
	refusal  = "E\x00\x00\x00\x06S\x00" + "Z\x00\x00\x00\x05I"
)

// answered returns what the driver reads before anything of the server.
func answered(h *db.HeldMessages) string {
	var all []byte
	for piece := make([]byte, 5); ; {
		n := h.Answer(piece)
		if n == 0 {
			_, _ = h.OnRead(nil) // a read that brings nothing
			return string(all)
		}
		all = append(all, piece[:n]...)
	}
}

// received returns what the driver reads of what the server sends, in pieces of a size.
func received(t *testing.T, h *db.HeldMessages, sent string, size int) string {
	t.Helper()
	var all []byte
	for b := []byte(sent); len(b) > 0; {
		piece := bytes.Clone(b[:min(size, len(b))])
		b = b[len(piece):]
		n, err := h.OnRead(piece)
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, piece[:n]...), answered(h)...)
	}
	return string(all)
}

// What is held goes to the server with the next message, and the driver reads of the answer what belongs to that
// one, in however many pieces it comes.
func TestHeld_isSentWithTheNextMessage(t *testing.T) {
	t.Parallel()
	const answer = "the answer"
	for name, c := range map[string]struct {
		held         []string
		next         string
		order        []string // texts that are sent, in this order
		answersFirst string
	}{
		"a beginning with a prepared statement": {[]string{db.Begin}, reading, []string{"begin isolation", "y"}, ofBegin},
		"a beginning with a text":               {[]string{db.Begin}, "Q\x00\x00\x00\x0bselect\x00", []string{"Qbegin", "Qselect"}, db.Begun},
		"a beginning and two statements":        {[]string{db.Begin, writing, writing}, reading, []string{"begin isolation", "x", "x", "y"}, ofBegin + ofWrite + ofWrite},
		"a statement with the commit":           {[]string{writing}, db.Commit, []string{"x", "commit"}, ofWrite + preceded},
		"a whole transaction":                   {[]string{db.Begin, writing}, db.Commit, []string{"begin isolation", "x", "commit"}, ofBegin + ofWrite + preceded},
		"a statement with a text":               {[]string{writing}, "Q\x00\x00\x00\x0bselect\x00", []string{"x", "select"}, ofWrite + preceded},
	} {
		for size := 1; size <= 64; size++ {
			var h db.HeldMessages
			for _, b := range c.held {
				if sent := h.OnWrite([]byte(b), b == writing); sent != nil {
					t.Fatalf("%s: %q is sent", name, sent)
				}
				if got, want := answered(&h), map[bool]string{true: db.Done, false: db.Begun}[b == writing]; got != want {
					t.Errorf("%s: the driver reads %q, want %q", name, got, want)
				}
			}
			sent := withoutLengths(string(h.OnWrite([]byte(c.next), false)))
			for _, text := range c.order {
				_, after, ok := strings.Cut(sent, text)
				if !ok {
					t.Fatalf("%s: %q is not in order in %q", name, text, sent)
				}
				sent = after
			}
			if got := received(t, &h, c.answersFirst+answer, size); got != answer {
				t.Fatalf("%s, in pieces of %d: the driver reads %q", name, size, got)
			}
			if again := h.OnWrite([]byte(reading), false); string(again) != reading {
				t.Errorf("%s: the next statement is sent as %q", name, again)
			}
		}
	}
}

// withoutLengths returns messages without what is not text in them.
func withoutLengths(messages string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, strings.ReplaceAll(messages, "Q\x00\x00\x00\x29", "Q"))
}

// A group has one end, at its own: the server runs nothing of it after a message that failed.
func TestHeld_isOneGroup(t *testing.T) {
	t.Parallel()
	var h db.HeldMessages
	h.OnWrite([]byte(db.Begin), false)
	h.OnWrite([]byte(writing), true)
	sent := h.OnWrite([]byte(db.Commit), false)
	if n := bytes.Count(sent, []byte("S\x00\x00\x00\x04")); n != 1 || !bytes.HasSuffix(sent, []byte("S\x00\x00\x00\x04")) || bytes.IndexByte(sent, 'Q') >= 0 {
		t.Errorf("sent %q", sent)
	}
}

// A transaction that is rolled back needs nothing that was held: the server is asked only if it knows of it.
func TestHeld_isDroppedByARollback(t *testing.T) {
	t.Parallel()
	var h db.HeldMessages
	h.OnWrite([]byte(db.Begin), false)
	h.OnWrite([]byte(writing), true)
	answered(&h)
	if sent := h.OnWrite([]byte(db.Rollback), false); sent != nil {
		t.Errorf("of a transaction that the server does not know, %q is sent", sent)
	}
	if got := answered(&h); got != db.RolledBack {
		t.Errorf("the driver reads %q", got)
	}
	h.OnWrite([]byte(writing), true)
	if sent := h.OnWrite([]byte(db.Rollback), false); string(sent) != db.Rollback {
		t.Errorf("of one that it knows, %q is sent", sent)
	}
}

// The driver may read already when it rolls back what the server does not know yet: only the server can answer it then.
func TestHeld_isSentWithARollbackWhileTheDriverReads(t *testing.T) {
	t.Parallel()
	for _, statements := range []int{0, 1} {
		var h db.HeldMessages
		h.OnWrite([]byte(db.Begin), false)
		for range statements {
			h.OnWrite([]byte(writing), true)
		}
		answered(&h)
		if n := h.Answer(make([]byte, 5)); n != 0 {
			t.Fatalf("%d bytes are answered to nothing", n)
		}
		if sent := withoutLengths(string(h.OnWrite([]byte(db.Rollback), false))); !strings.Contains(sent, "begin isolation") || !strings.Contains(sent, "rollback") {
			t.Errorf("after %d statements %q is sent", statements, sent)
		}
	}
}

// What returns rows, or is not prepared yet, is sent at once, and so is what may not wait.
func TestHeld_holdsOnlyWhatItCanAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		b       string
		mayWait bool
	}{
		"it returns rows":     {reading, true},
		"it is to be planned": {"P\x00\x00\x00\x05x" + "D\x00\x00\x00\x06S\x00" + "S\x00\x00\x00\x04", true},
		"it may not wait":     {writing, false},
		"it is cut off":       {writing[:len(writing)-1], true},
	} {
		var h db.HeldMessages
		if sent := h.OnWrite([]byte(c.b), c.mayWait); string(sent) != c.b {
			t.Errorf("%s: %q is sent", name, sent)
		}
	}
}

// The driver may wait for the server while nothing is under way, after a slow write. Only the server can answer it then.
func TestHeld_holdsNothingWhileTheDriverReads(t *testing.T) {
	t.Parallel()
	for _, b := range []string{db.Begin, writing} {
		var h db.HeldMessages
		if n := h.Answer(make([]byte, 5)); n != 0 {
			t.Fatalf("%d bytes are answered to nothing", n)
		}
		if sent := h.OnWrite([]byte(b), true); string(sent) != b {
			t.Errorf("sent %q", sent)
		}
		answer := []byte("the answer")
		if n, err := h.OnRead(answer); err != nil || n != len(answer) {
			t.Errorf("%d bytes of the answer are left: %v", n, err)
		}
		if sent := h.OnWrite([]byte(b), true); sent != nil {
			t.Errorf("when nothing is read any more, %q is sent", sent)
		}
	}
}

// A server that refuses what was held refuses the next message with it; a server that answers something else is not
// used any more.
func TestHeld_leavesARefusalToTheDriver(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]string{"the beginning": "", "the first": ofBegin, "the second": ofBegin + ofWrite} {
		for size := 1; size <= 64; size++ {
			var h db.HeldMessages
			h.OnWrite([]byte(db.Begin), false)
			h.OnWrite([]byte(writing), true)
			h.OnWrite([]byte(writing), true)
			answered(&h)
			h.OnWrite([]byte(reading), false)
			if got := received(t, &h, before+refusal, size); got != refusal {
				t.Fatalf("of a refusal of %s in pieces of %d the driver reads %q", name, size, got)
			}
		}
	}
	for name, c := range map[string]struct{ next, answer string }{
		"a notice before the answer":            {reading, "N\x00\x00\x00\x06S\x00"},
		"a refused beginning before a new text": {"Q\x00\x00\x00\x0bselect\x00", refusal},
	} {
		var h db.HeldMessages
		h.OnWrite([]byte(db.Begin), false)
		h.OnWrite([]byte(c.next), false)
		if _, err := h.OnRead([]byte(c.answer)); !errors.Is(err, db.ErrUnexpectedAnswer) {
			t.Errorf("%s: %v", name, err)
		}
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
