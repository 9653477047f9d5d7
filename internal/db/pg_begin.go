package db

import (
	"bytes"
	"errors"
	"sync"
)

// The beginning of a transaction, as the driver sends it and as it expects the answer; and as it goes to the
// server together with the first statement. The server runs nothing of a group of messages after one that
// failed, so the statement never runs outside of the transaction.
var (
	begin         = []byte("Q\x00\x00\x00\x29begin isolation level read committed\x00")
	begun         = []byte("C\x00\x00\x00\x0aBEGIN\x00Z\x00\x00\x00\x05T")
	groupedBegin  = []byte("P\x00\x00\x00\x2c\x00begin isolation level read committed\x00\x00\x00" + "B\x00\x00\x00\x0c\x00\x00\x00\x00\x00\x00\x00\x00" + "E\x00\x00\x00\x09\x00\x00\x00\x00\x00")
	groupedAnswer = []byte("1\x00\x00\x00\x04" + "2\x00\x00\x00\x04" + "C\x00\x00\x00\x0aBEGIN\x00")
)

// errUnexpectedBegin is returned when a server answers the beginning of a transaction in another way than
// PostgreSQL does. The connection is of no use any more.
var errUnexpectedBegin = errors.New("the server has not begun a transaction as expected")

// opening sends the beginning of a transaction together with its first statement, so that it needs no round
// trip of its own. The zero value is ready to use. The driver may read while it writes.
type opening struct {
	mu sync.Mutex
	// isHeld says that the driver has begun a transaction that the server does not know yet.
	isHeld bool
	// isReading says that the driver waits for bytes of the server. It may do so while nothing is under way.
	isReading bool
	// toDriver is what the driver has yet to read of the answer to its beginning.
	toDriver []byte
	// toSkip is what the server has yet to answer to the beginning that was sent.
	toSkip []byte
}

// onWrite returns what to send in place of b, which the driver sends; nothing for the beginning of a
// transaction, unless the driver waits for the server already: only the server can answer it then.
func (o *opening) onWrite(b []byte) []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	if bytes.Equal(b, begin) && !o.isReading {
		o.isHeld, o.toDriver = true, begun
		return nil
	}
	if !o.isHeld {
		return b
	}
	o.isHeld = false
	if b[0] == 'Q' { // it belongs to no group
		o.toSkip = begun
		return append(bytes.Clone(begin), b...)
	}
	o.toSkip = groupedAnswer
	return append(bytes.Clone(groupedBegin), b...)
}

// answer copies into b what the driver expects without the server, and returns how much that is. When it
// returns 0, the driver must read from the server, and call onRead or endRead afterwards.
func (o *opening) answer(b []byte) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := copy(b, o.toDriver)
	o.toDriver = o.toDriver[n:]
	o.isReading = n == 0
	return n
}

// endRead ends a read that brought nothing.
func (o *opening) endRead() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.isReading = false
}

// onRead removes from b, which the server has sent, its answer to the beginning, and returns how much is
// left. A refusal is left for the driver, as that of the first statement.
func (o *opening) onRead(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.isReading = false
	n := min(len(b), len(o.toSkip))
	switch {
	case bytes.Equal(b[:n], o.toSkip[:n]):
		o.toSkip = o.toSkip[n:]
		return copy(b, b[n:]), nil
	case b[0] == 'E' && len(o.toSkip) == len(groupedAnswer):
		o.toSkip = nil
		return len(b), nil
	default:
		return 0, errUnexpectedBegin
	}
}
