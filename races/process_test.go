package races_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"servery/internal/app"
	"servery/internal/clock"
	"servery/internal/config"
)

// serverVariable makes the test program run as a server. Its value has the settings as JSON.
const serverVariable = "SERVERY_RACES_SERVER"

const operatorToken = "operator-of-the-races-here"

// settings are the settings that a test passes to a server process.
type settings struct {
	Data, DatabaseURL, Content string
	// Addr is the address to listen at; any free port when empty.
	Addr string
	// Now is the time of the fake clock until it is set; zero for the machine's clock.
	Now time.Time
	// PayWithin is how long orders wait for their payment; 0 for the usual time.
	PayWithin time.Duration
	// PublicURL is the address in links of messages, Providers the file of providers; empty for none.
	PublicURL, Providers string
}

// TestMain runs the tests, or the server when serverVariable is set.
func TestMain(m *testing.M) {
	text, isServer := os.LookupEnv(serverVariable)
	if !isServer {
		os.Exit(m.Run())
	}
	// A write beyond the limit on files must fail as on a full disk, not end the process.
	signal.Ignore(syscall.SIGXFSZ)
	if err := serve(text, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve runs the program with the settings in text until the input ends. The first line of the output is its address.
// Each line of input is a time: it sets the fake clock to it, sweeps, and prints a line with the error, empty for none.
func serve(text string, in io.Reader, out io.Writer) error {
	var s settings
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	ctx := context.Background()
	var source clock.Clock = clock.System{}
	fake := clock.NewFake(s.Now)
	if !s.Now.IsZero() {
		source = fake
	}
	const unlimited = 1_000_000 // a fake clock that stands still would never let an address call again
	a, err := app.Start(ctx, config.Config{
		Addr: cmp.Or(s.Addr, "127.0.0.1:0"), PaymentDeadline: s.PayWithin, Data: s.Data, DatabaseURL: s.DatabaseURL, Content: s.Content, OperatorToken: operatorToken,
		PublicURL: s.PublicURL, Providers: s.Providers,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, CallsPerSecond: unlimited, CallsAtWork: 1000, Drain: 10 * time.Second,
	}, slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})), source)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, a.Addr())
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		now, err := time.Parse(time.RFC3339Nano, lines.Text())
		if err == nil {
			fake.Set(now)
			err = a.Sweep(ctx)
		}
		if err != nil {
			fmt.Fprintln(out, strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Fprintln(out)
		}
	}
	return errors.Join(lines.Err(), a.Close(ctx))
}

// process is a server process.
type process struct {
	with settings // used at the next begin
	url  string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
}

// start starts a server, which the end of the test stops.
func start(t *testing.T, s settings) *process {
	t.Helper()
	p := launch(t, s)
	t.Cleanup(func() { p.stop(t) })
	return p
}

// launch starts a server, which the caller must stop or kill.
func launch(t *testing.T, s settings) *process {
	t.Helper()
	p := &process{with: s}
	p.begin(t)
	return p
}

// begin starts the test program once more, as a server with the settings p.with, and waits until it listens.
func (p *process) begin(t *testing.T) {
	t.Helper()
	text, err := json.Marshal(p.with)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The context of the test is over before its cleanup, and would kill the server before stop ends it.
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program)
	cmd.Env = append(os.Environ(), serverVariable+"="+string(text))
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.cmd, p.in, p.out = cmd, in, bufio.NewReader(out)
	addr, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatalf("the server did not start: %v", errors.Join(err, cmd.Wait()))
	}
	p.url = "http://" + strings.TrimSpace(addr)
}

// stop ends the input of the server and waits until it has shut down, which must succeed.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := errors.Join(p.in.Close(), p.cmd.Wait()); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// kill kills the server at once and waits for its end.
func (p *process) kill(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait() // its error is that the server was killed
}

// freeze stops the execution of the server at once: its connections stay open, and nothing is answered.
func (p *process) freeze(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
}

// thaw lets a frozen server go on.
func (p *process) thaw(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
}

// setClock sets the fake clock of the server and lets it sweep. It reports an error of the sweep.
func (p *process) setClock(t *testing.T, now time.Time) {
	t.Helper()
	if _, err := fmt.Fprintln(p.in, now.Format(time.RFC3339Nano)); err != nil {
		t.Fatal(err)
	}
	fault, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if fault = strings.TrimSpace(fault); fault != "" {
		t.Errorf("the sweep: %s", fault)
	}
}
