package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// figure is one line of the report.
type figure struct {
	Engine    string        `json:"engine"`
	Work      string        `json:"work"`
	PerSecond float64       `json:"per_second,omitempty"`
	P50       time.Duration `json:"p50_ns,omitempty"`
	P99       time.Duration `json:"p99_ns,omitempty"`
	Wrong     int           `json:"wrong,omitempty"`
	// Limit is the name of the limit, LimitPerSecond its rate, and Ratio the rate of the work divided by
	// that of the limit.
	Limit          string        `json:"limit,omitempty"`
	LimitPerSecond float64       `json:"limit_per_second,omitempty"`
	LimitP99       time.Duration `json:"limit_p99_ns,omitempty"`
	Ratio          float64       `json:"ratio,omitempty"`
	// Took and Bytes are the values of lines without a rate: a time, or a size of memory.
	Took  time.Duration `json:"took_ns,omitempty"`
	Bytes int64         `json:"bytes,omitempty"`
}

// report collects the figures of a run.
type report struct {
	Version     string   `json:"go"`
	CPUs        int      `json:"cpus"`
	Connections int      `json:"connections"`
	Seconds     float64  `json:"seconds"`
	Figures     []figure `json:"figures"`
}

// newReport returns an empty report of a run.
func newReport(o options) *report {
	return &report{Version: runtime.Version(), CPUs: runtime.NumCPU(), Connections: o.connections, Seconds: o.seconds.Seconds()}
}

// addTime adds a figure that is a single time.
func (r *report) addTime(e engine, name string, took time.Duration) {
	r.Figures = append(r.Figures, figure{Engine: e.name, Work: name, Took: took})
}

// addMemory adds a figure that is a size of memory, in bytes.
func (r *report) addMemory(e engine, name string, bytes int64) {
	r.Figures = append(r.Figures, figure{Engine: e.name, Work: name, Bytes: bytes})
}

// addWork adds the measurements of a work and of its limit. It prints the rate, the percentage of the limit's rate,
// and the first failure.
func (r *report) addWork(e engine, name string, s sample, limitName string, limit sample) {
	f := figure{
		Engine: e.name, Work: name, PerSecond: s.perSecond(), P50: s.percentile(50), P99: s.percentile(99), Wrong: s.failures,
		Limit: limitName, LimitPerSecond: limit.perSecond(), LimitP99: limit.percentile(99),
	}
	f.Ratio = f.PerSecond / f.LimitPerSecond
	r.Figures = append(r.Figures, f)
	fmt.Fprintf(os.Stderr, "%s: %s: %.0f/s, %.0f %%\n", e.name, name, f.PerSecond, 100*f.Ratio)
	if s.firstErr != nil {
		fmt.Fprintf(os.Stderr, "  %d went wrong, the first: %v\n", s.failures, s.firstErr)
	}
}

// print writes the report as a table.
func (r *report) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s, %d CPUs shared by the program and the load, %d connections, %.0f s each\n\n",
		r.Version, r.CPUs, r.Connections, r.Seconds)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(cells ...string) { fmt.Fprintln(t, strings.Join(cells, "\t")) } //nolint:errcheck // Flush reports it
	line("engine", "work", "per second", "p50", "p99", "wrong", "limit", "per second", "p99", "ratio")
	for _, f := range r.Figures {
		switch {
		case f.Limit != "":
			line(f.Engine, f.Work, fmt.Sprintf("%.0f", f.PerSecond), milliseconds(f.P50), milliseconds(f.P99), strconv.Itoa(f.Wrong),
				f.Limit, fmt.Sprintf("%.0f", f.LimitPerSecond), milliseconds(f.LimitP99), fmt.Sprintf("%.0f %%", 100*f.Ratio))
		case f.Took != 0:
			line(f.Engine, f.Work, milliseconds(f.Took))
		default:
			line(f.Engine, f.Work, fmt.Sprintf("%.0f MB", float64(f.Bytes)/(1<<20)))
		}
	}
	return t.Flush()
}

// milliseconds formats a time in milliseconds.
func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

// save writes the report as JSON.
func (r *report) save(name string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o600)
}
