package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// program is the running servery.
type program struct {
	addr string
	// ready is the time from the start of the process to the first answer that it is ready, and first
	// the time to the whole home page.
	ready, first time.Duration
	begun        time.Time // when the process was started

	cmd *exec.Cmd
	err *bytes.Buffer
}

// startImported starts the program twice and returns the second one. The first start imports the content, which
// must not be measured.
func (g *environment) startImported(ctx context.Context) (*program, error) {
	p, err := g.startOnce(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.stop(); err != nil {
		return nil, err
	}
	return g.startOnce(ctx)
}

// startOnce starts the program and requests the home page once. It measures the times ready and first.
func (g *environment) startOnce(ctx context.Context) (*program, error) {
	p, err := g.startProcess(ctx)
	if err != nil {
		return nil, err
	}
	c, err := dial(ctx, p.addr)
	if err != nil {
		return nil, err
	}
	defer c.Close() //nolint:errcheck // nothing is lost
	_, err = c.expect(request("GET", "/"+cityAlias, nil))
	p.first = time.Since(p.begun)
	return p, err
}

// startProcess starts the program and waits until it is ready, for a minute at most. No document has been made
// by then.
func (g *environment) startProcess(ctx context.Context) (*program, error) {
	free, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := free.Addr().String()
	if err := free.Close(); err != nil {
		return nil, err
	}
	command := append(slices.Clone(g.commandPrefix), g.binary, "serve")
	p := &program{addr: addr, cmd: exec.CommandContext(ctx, command[0], command[1:]...), err: &bytes.Buffer{}} //nolint:gosec // the program to measure is whichever was asked for
	p.cmd.Stderr = p.err
	p.cmd.Env = append(os.Environ(),
		"SERVERY_ADDR="+addr, "SERVERY_DATA="+g.data, "DATABASE_URL="+g.url, "SERVERY_CONTENT="+g.content,
		"SERVERY_SIMULATE=off", "SERVERY_CALLS_PER_SECOND=100000000", "SERVERY_LIMITS="+g.limits, "SERVERY_OPERATOR_TOKEN="+operatorToken)
	start := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	for {
		if c, err := dial(ctx, addr); err == nil {
			a, err := c.send(request("GET", "/readyz", nil))
			if err == nil && a.status == 200 {
				p.ready, p.begun = time.Since(start), start
				return p, c.Close()
			}
		}
		if time.Since(start) > time.Minute || ctx.Err() != nil {
			return nil, fmt.Errorf("the program did not start: %s", p.err)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// stop sends SIGTERM, as a service manager does, and waits until the program has ended. It returns an error
// unless the exit code is 0.
func (p *program) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("the program: %w: %s", err, p.err)
	}
	return nil
}

// resident returns the resident memory of the program in bytes, 0 where the system does not report it.
func (p *program) resident() int64 {
	status, err := os.Open(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	defer status.Close() //nolint:errcheck // only read
	lines := bufio.NewScanner(status)
	for lines.Scan() {
		if value, ok := strings.CutPrefix(lines.Text(), "VmRSS:"); ok {
			kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			if err != nil {
				return 0
			}
			return kilobytes << 10
		}
	}
	return 0
}

// tick is the unit in which Linux counts the processor time of a process.
const tick = 10 * time.Millisecond

// processorTime returns the processor time that the program has used so far, 0 where the system does not
// report it.
func (p *program) processorTime() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), ") ") // behind the name of the process, which may have spaces
	const user, system = 11, 12
	fields := strings.Fields(after)
	if len(fields) <= system {
		return 0
	}
	var ticks time.Duration
	for _, field := range fields[user : system+1] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0
		}
		ticks += time.Duration(n)
	}
	return ticks * tick
}

// watchMemory samples the program's memory ten times a second. The returned function ends that and returns the
// maximum in bytes.
func (p *program) watchMemory() func() int64 {
	var most int64
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		ticker := time.NewTicker(100 * time.Millisecond)
		defer ticker.Stop()
		for {
			most = max(most, p.resident())
			select {
			case <-done:
				return
			case <-ticker.C:
			}
		}
	})
	return func() int64 {
		close(done)
		wait.Wait()
		return most
	}
}
