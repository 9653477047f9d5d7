package report

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/getsentry/sentry-go"
)

// logContext is the part of an event that has the attributes of a record.
const logContext = "log"

// handler passes records on, and reports those of errors.
type handler struct {
	next     slog.Handler
	reporter *Reporter
	// attributes are those of the logger, beside those of each record; group is before their names.
	attributes []slog.Attr
	group      string
}

// Handler returns a handler that passes records to next and reports those of level error.
func (r *Reporter) Handler(next slog.Handler) slog.Handler {
	if !r.IsOn() {
		return next
	}
	return &handler{next: next, reporter: r}
}

// Enabled implements [slog.Handler].
func (h *handler) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError || h.next.Enabled(ctx, level)
}

// Handle implements [slog.Handler].
func (h *handler) Handle(ctx context.Context, record slog.Record) error {
	if record.Level >= slog.LevelError {
		h.report(record)
	}
	if !h.next.Enabled(ctx, record.Level) {
		return nil
	}
	return h.next.Handle(ctx, record)
}

// report sends the record with its attributes and the place in the code that wrote it. The attribute that
// has the error becomes the text of the event; an attribute with a stack is left out.
func (h *handler) report(record slog.Record) {
	event := newEvent(record.Message, "")
	event.Timestamp = record.Time
	event.Logger = "program"
	values := sentry.Context{}
	event.Contexts[logContext] = values
	add := func(a slog.Attr) bool {
		switch value := a.Value.Resolve(); {
		case a.Key == "stack": // the frames of the event are the same
		case isCause(a.Key):
			event.Exception[0].Value = value.String()
		case value.Kind() == slog.KindInt64 || value.Kind() == slog.KindBool || value.Kind() == slog.KindDuration:
			values[a.Key] = value.Any()
		default:
			values[a.Key] = value.String()
		}
		return true
	}
	for _, a := range h.attributes {
		add(a)
	}
	record.Attrs(func(a slog.Attr) bool { a.Key = h.group + a.Key; return add(a) })
	event.Exception[0].Stacktrace = programFrames(sentry.NewStacktrace())
	h.reporter.send(event, record.Message+"\n"+event.Exception[0].Value)
}

// isCause reports whether an attribute, of whatever group, has the error itself.
func isCause(key string) bool {
	name := key[strings.LastIndex(key, ".")+1:]
	return name == "err" || name == "error" || name == "panic"
}

// programFrames removes from the trace the frames of the logger itself and the folder in which the program
// was built, marks the frames of the program's own code, and returns the trace.
func programFrames(trace *sentry.Stacktrace) *sentry.Stacktrace {
	if trace == nil {
		return nil
	}
	trace.Frames = slices.DeleteFunc(trace.Frames, func(f sentry.Frame) bool {
		return f.Module == "log/slog" || f.Module == "servery/internal/report"
	})
	for i := range trace.Frames {
		trace.Frames[i].AbsPath = "" // where the program was built
		trace.Frames[i].InApp = strings.HasPrefix(trace.Frames[i].Module, "servery/")
	}
	return trace
}

// WithAttrs implements [slog.Handler].
func (h *handler) WithAttrs(attributes []slog.Attr) slog.Handler {
	grouped := slices.Clone(h.attributes)
	for _, a := range attributes {
		a.Key = h.group + a.Key
		grouped = append(grouped, a)
	}
	return &handler{next: h.next.WithAttrs(attributes), reporter: h.reporter, attributes: grouped, group: h.group}
}

// WithGroup implements [slog.Handler].
func (h *handler) WithGroup(name string) slog.Handler {
	return &handler{next: h.next.WithGroup(name), reporter: h.reporter, attributes: h.attributes, group: h.group + name + "."}
}

var _ slog.Handler = (*handler)(nil)
