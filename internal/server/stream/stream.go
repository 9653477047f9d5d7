// Package stream writes server-sent events.
package stream

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

const (
	// beat is how often something is sent on a quiet stream, so that proxies do not close it and the
	// server notices readers that have gone.
	beat = 25 * time.Second
	// writeTimeout is how long one event may take to a slow phone.
	writeTimeout = 10 * time.Second
)

// Writer writes the events of one stream. It is not safe for concurrent use.
type Writer struct {
	w    http.ResponseWriter
	ctrl *http.ResponseController
}

// Begin answers that a stream follows, and returns its writer.
func Begin(w http.ResponseWriter) Writer {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	to := Writer{w, http.NewResponseController(w)}
	// The flush shows the reader that the stream has begun. When the reader is gone, the next event fails.
	_ = to.ctrl.Flush()
	return to
}

// Send sends an event with its data as JSON. It returns an error when the reader is gone.
func (to Writer) Send(name string, data any) error { return to.send("", name, data) }

// SendNumbered sends an event with its number and its data as JSON. A reader that has lost the stream sends
// the last number back in the header Last-Event-ID. It returns an error when the reader is gone.
func (to Writer) SendNumbered(number int64, name string, data any) error {
	return to.send(fmt.Sprintf("id: %d\n", number), name, data)
}

// send sends an event with its data as JSON, after the lines in before.
func (to Writer) send(before, name string, data any) error {
	body, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("encode event: %w", err)
	}
	return to.write(fmt.Sprintf("%sevent: %s\ndata: %s\n\n", before, name, body))
}

// Beat sends a comment, which readers leave out. It returns an error when the reader is gone.
func (to Writer) Beat() error { return to.write(": beat\n\n") }

// write sends the text at once. It returns an error when that takes longer than writeTimeout.
func (to Writer) write(text string) error {
	if err := to.ctrl.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil { //nolint:forbidigo // a socket's deadline is by its own clock
		return err
	}
	if _, err := to.w.Write([]byte(text)); err != nil {
		return err
	}
	return to.ctrl.Flush()
}

// EveryBeat returns a channel that receives whenever a beat is due, and a function that stops the beats.
func EveryBeat() (beats <-chan time.Time, stop func()) {
	ticker := time.NewTicker(beat)
	return ticker.C, ticker.Stop
}
