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

// serverVariable makes the test program a server, with the settings in it.
const serverVariable = "SERVERY_RACES_SERVER"

const operatorToken = "operator-of-the-races-here"

// settings are what the parent sets for a server.
type settings struct {
	Data, DatabaseURL, Content string
	// Addr is where to listen, any free port when empty.
	Addr string
	// Now is where the clock stands until it is set; zero for the machine's own.
	Now time.Time
	// PayWithin is how long orders wait for their payment; 0 for the usual time.
	PayWithin time.Duration
	// PublicURL is the address that messages to customers lead to, Providers the file of those who send
	// them; empty for none.
	PublicURL, Providers string
}

func TestMain(m *testing.M) {
	text, isServer := os.LookupEnv(serverVariable)
	if !isServer {
		os.Exit(m.Run())
	}
	// A file that may not grow is a full disk: the write fails.
	signal.Ignore(syscall.SIGXFSZ)
	if err := serve(text, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve runs the program until the input ends. It prints its address in the first line of
// the output. Each line of input is a time, to which the clock is set; then it sweeps, and
// answers with a line that says what went wrong, or nothing.
func serve(text string, in io.Reader, out io.Writer) error {
	var s settings
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	ctx := context.Background()
	var hands clock.Clock = clock.System{}
	fake := clock.NewFake(s.Now)
	if !s.Now.IsZero() {
		hands = fake
	}
	a, err := app.Start(ctx, config.Config{
		Addr: cmp.Or(s.Addr, "127.0.0.1:0"), PaymentDeadline: s.PayWithin, Data: s.Data, DatabaseURL: s.DatabaseURL, Content: s.Content, OperatorToken: operatorToken,
		PublicURL: s.PublicURL, Providers: s.Providers,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, CallsPerSecond: 1000, CallsAtWork: 1000, Drain: 10 * time.Second,
	}, slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})), hands)
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

// process is a server that runs.
type process struct {
	with settings
	url  string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
}

// start runs a server until the end of the test.
func start(t *testing.T, s settings) *process {
	t.Helper()
	p := launch(t, s)
	t.Cleanup(func() { p.stop(t) })
	return p
}

// launch runs the test program once more, as a server, until it is stopped or killed.
func launch(t *testing.T, s settings) *process {
	t.Helper()
	p := &process{with: s}
	p.begin(t)
	return p
}

// begin runs the server with its settings and waits until it listens.
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
	// The context of the test is over before its cleanup: the end of the input ends the server.
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

// stop lets the server end as it likes to.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := errors.Join(p.in.Close(), p.cmd.Wait()); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// kill ends the server in the middle of whatever it does.
func (p *process) kill(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait() // it says that it was killed
}

// freeze stops the server wherever it stands: its connections stay open, and nothing is answered.
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

// set moves the clock of the server and lets it sweep.
func (p *process) set(t *testing.T, now time.Time) {
	t.Helper()
	if _, err := fmt.Fprintln(p.in, now.Format(time.RFC3339Nano)); err != nil {
		t.Fatal(err)
	}
	wrong, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if wrong = strings.TrimSpace(wrong); wrong != "" {
		t.Errorf("the sweep: %s", wrong)
	}
}
