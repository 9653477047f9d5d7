package db

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Messages as the driver sends them and as it expects their answers, and the same as parts of a group of messages. The
// server runs nothing of a group after a message that failed, so no statement runs without those before it.
var (
	begin      = []byte("Q\x00\x00\x00\x29begin isolation level read committed\x00")
	begun      = []byte("C\x00\x00\x00\x0aBEGIN\x00Z\x00\x00\x00\x05T")
	commit     = []byte("Q\x00\x00\x00\x0bcommit\x00")
	rollback   = []byte("Q\x00\x00\x00\x0drollback\x00")
	rolledBack = []byte("C\x00\x00\x00\x0dROLLBACK\x00Z\x00\x00\x00\x05I")
	// done is what the driver gets for a statement that is held: no number of rows.
	done = []byte("2\x00\x00\x00\x04n\x00\x00\x00\x04C\x00\x00\x00\x05\x00Z\x00\x00\x00\x05T")
)

const (
	bind, describe, execute = "B\x00\x00\x00\x0c\x00\x00\x00\x00\x00\x00\x00\x00", "D\x00\x00\x00\x06P\x00", "E\x00\x00\x00\x09\x00\x00\x00\x00\x00"
	endOfGroup              = "S\x00\x00\x00\x04"

	// The types of messages: of the answer to a beginning that is sent alone, to a prepared statement without rows, and
	// of what the server answers to a text in a group before what it answers to one that is sent alone.
	answerToBegin     = "CZ"
	answerToStatement = "2nC"
	answerToText      = "12"
	answerToBeginText = answerToText + "nC"

	// headLength is that of a message's head: its type and its length.
	headLength = 5
)

// errUnexpectedAnswer is returned when a server answers in another way than PostgreSQL does. The connection is of no
// use any more.
var errUnexpectedAnswer = errors.New("the server has not answered as expected")

// heldMessages holds messages back, the beginning of a transaction and statements whose result no caller reads, and sends
// them together with the next message, so that they need no round trip of their own. The driver gets its answers at
// once. The zero value is ready to use. The driver may read while it writes.
type heldMessages struct {
	mu sync.Mutex
	// messages are what the server does not know yet, and answers the types of what it will answer to them.
	messages []byte
	answers  string
	// isReading says that the driver waits for bytes of the server. It may do so while nothing is under way.
	isReading bool
	// toDriver is what the driver has yet to read before anything of the server.
	toDriver []byte
	// toSkip are the types of what the server has yet to answer to messages that were held.
	toSkip string
	// head is what was read of the head of such a message, and bodyLeft how much is left of one whose head was read.
	head     []byte
	bodyLeft int
}

// onWrite returns what to send in place of b, which the driver sends; nothing where b is held or needs no server. It
// holds the beginning of a transaction and, when mayWait is set, a prepared statement that returns no rows, unless the
// driver waits for the server already: only the server can answer it then.
func (h *heldMessages) onWrite(b []byte, mayWait bool) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.isReading:
	case bytes.Equal(b, begin):
		h.messages, h.answers, h.toDriver = groupedText(begin), answerToBeginText, begun
		return nil
	case mayWait && typesOf(b) == "BDES":
		h.messages = append(h.messages, b[:len(b)-len(endOfGroup)]...)
		h.answers += answerToStatement
		h.toDriver = append(slices.Clip(h.toDriver), done...)
		return nil
	}
	if len(h.messages) == 0 {
		return b
	}
	isBegun := !strings.HasPrefix(h.answers, answerToBeginText)
	switch {
	case bytes.Equal(b, rollback) && (isBegun || !h.isReading):
		h.messages, h.answers = nil, ""
		if isBegun {
			return b
		}
		h.toDriver = rolledBack
		return nil
	case b[0] == 'Q' && h.answers == answerToBeginText: // it may be several statements, which no group can have
		h.messages, h.answers = slices.Clone(begin), answerToBegin
	case b[0] == 'Q':
		h.answers += answerToText
		b = append(groupedText(b), endOfGroup...)
	}
	sent := append(h.messages, b...)
	h.toSkip, h.messages, h.answers = h.answers, nil, ""
	return sent
}

// groupedText returns the messages of a group that do what q does, a message of one statement as text.
func groupedText(q []byte) []byte {
	text := q[headLength:]
	const name, types = "\x00", "\x00\x00" // of the statement and of its parameters: none
	length := headLength - 1 + len(name) + len(text) + len(types)
	parse := binary.BigEndian.AppendUint32([]byte("P"), uint32(length))
	return slices.Concat(parse, []byte(name), text, []byte(types+bind+describe+execute))
}

// typesOf returns the types of the messages that b consists of, and less where it is not made of whole messages.
func typesOf(b []byte) string {
	var types []byte
	for len(b) >= headLength {
		length := 1 + int(binary.BigEndian.Uint32(b[1:]))
		if length < headLength || length > len(b) {
			break
		}
		types, b = append(types, b[0]), b[length:]
	}
	return string(types)
}

// answer copies into b what the driver expects without the server, and returns how much that is. When it
// returns 0, the driver must read from the server, and call onRead or endRead afterwards.
func (h *heldMessages) answer(b []byte) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := copy(b, h.toDriver)
	h.toDriver = h.toDriver[n:]
	h.isReading = n == 0
	return n
}

// endRead ends a read that brought nothing.
func (h *heldMessages) endRead() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.isReading = false
}

// onRead removes from b, which the server has sent, its answers to what was held, and returns how much is left. A
// refusal is left for the driver, as that of what was sent last; it may be left for answer.
func (h *heldMessages) onRead(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.isReading = false
	rest := b
	for len(rest) > 0 {
		switch {
		case h.bodyLeft > 0:
			n := min(h.bodyLeft, len(rest))
			h.bodyLeft, rest = h.bodyLeft-n, rest[n:]
		case h.toSkip == "":
			return copy(b, rest), nil
		default:
			n := min(headLength-len(h.head), len(rest))
			h.head, rest = append(h.head, rest[:n]...), rest[n:]
			if len(h.head) < headLength {
				return 0, nil
			}
			if h.head[0] == 'E' && h.toSkip != answerToBegin {
				h.toDriver = slices.Concat(h.head, rest)
				h.head, h.toSkip = nil, ""
				return 0, nil
			}
			if h.head[0] != h.toSkip[0] {
				return 0, fmt.Errorf("%w: a message of type %q", errUnexpectedAnswer, h.head[0])
			}
			h.bodyLeft = 1 + int(binary.BigEndian.Uint32(h.head[1:])) - headLength
			h.head, h.toSkip = h.head[:0], h.toSkip[1:]
		}
	}
	return 0, nil
}
