package races_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"servery/internal/db"
)

// cluster is a PostgreSQL server of the test's own.
type cluster struct {
	programs string // the folder of PostgreSQL's programs
	dir      string
	address  string
	account  *syscall.Credential // the user of the server, because PostgreSQL does not run as root; nil for the test's own
	// options are arguments of the server in addition to those of every test.
	options []string
	cmd     *exec.Cmd
}

// postgresPrograms returns the folder of PostgreSQL's programs, of the highest version that is found. Without one it
// skips the test; in CI it fails it.
func postgresPrograms(t *testing.T) string {
	t.Helper()
	var found []string
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/opt/postgresql*/bin"} {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, dirs...)
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, filepath.Dir(path))
	}
	for _, dir := range slices.Backward(found) {
		if _, err := os.Stat(filepath.Join(dir, "pg_basebackup")); err == nil {
			return dir
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("PostgreSQL's own programs are not here, so no server of it is broken")
	}
	t.Skip("SKIPPED: PostgreSQL's own programs (initdb, pg_basebackup) are not here")
	return ""
}

// newCluster returns a server with a folder and a free address; create or copyFrom makes and starts it. The end of the
// test removes it.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{programs: postgresPrograms(t), address: freeAddress(t)}
	// A folder of the test would be closed to the user of the server.
	dir, err := os.MkdirTemp("", "servery-cluster")
	if err != nil {
		t.Fatal(err)
	}
	c.dir = dir
	t.Cleanup(func() {
		c.remove(t)
		if err := os.RemoveAll(c.dir); err != nil {
			t.Error(err)
		}
	})
	if os.Getuid() != 0 {
		return c
	}
	owner, err := user.Lookup("postgres")
	if err != nil {
		owner, err = user.Lookup("nobody")
	}
	if err != nil {
		t.Fatal(err)
	}
	uid, err := strconv.Atoi(owner.Uid)
	if err != nil {
		t.Fatal(err)
	}
	gid, err := strconv.Atoi(owner.Gid)
	if err != nil {
		t.Fatal(err)
	}
	c.account = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	return c
}

// data returns the folder of the server's data.
func (c *cluster) data() string { return filepath.Join(c.dir, "data") }

// program returns a command of one of PostgreSQL's programs, run by the user of the server.
func (c *cluster) program(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(c.programs, name), args...)
	cmd.Dir, cmd.SysProcAttr = c.dir, &syscall.SysProcAttr{Credential: c.account}
	return cmd
}

// run runs one of PostgreSQL's programs to its end.
func (c *cluster) run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := c.program(t, name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// create makes an empty server and starts it, with a database for the program.
func (c *cluster) create(t *testing.T) {
	t.Helper()
	c.run(t, "initdb", "-D", c.data(), "-U", "servery", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	c.start(t)
	c.exec(t, "CREATE DATABASE servery")
}

// copyFrom replaces the server by a standby of primary, made from a copy, and starts it. The former data are lost.
func (c *cluster) copyFrom(t *testing.T, primary *cluster) {
	t.Helper()
	c.remove(t)
	host, port := primary.hostPort(t)
	c.run(t, "pg_basebackup", "-D", c.data(), "-d", fmt.Sprintf("host=%s port=%s user=servery", host, port), "-R", "-c", "fast", "--no-sync")
	c.start(t)
}

// hostPort returns the two parts of the address.
func (c *cluster) hostPort(t *testing.T) (host, port string) {
	t.Helper()
	host, port, err := net.SplitHostPort(c.address)
	if err != nil {
		t.Fatal(err)
	}
	return host, port
}

// start starts the server and waits until it answers.
func (c *cluster) start(t *testing.T) {
	t.Helper()
	host, port := c.hostPort(t)
	// The machine does not lose power, so commits need not wait for its disk.
	args := []string{
		"-D", c.data(), "-h", host, "-p", port, "-k", c.dir,
		"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=200", "-c", "wal_receiver_status_interval=1s",
	}
	c.cmd = c.program(t, "postgres", append(args, c.options...)...)
	log, err := os.Create(filepath.Join(c.dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	c.cmd.Stderr = log
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 600 {
		if err := c.try(t.Context(), "SELECT 1"); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	text, err := os.ReadFile(log.Name())
	t.Fatalf("PostgreSQL does not start: %v\n%s", err, text)
}

// remove ends the server and removes its data. It also removes the shared memory that a killed server leaves in the
// system.
func (c *cluster) remove(t *testing.T) {
	t.Helper()
	c.signal(t, syscall.SIGQUIT)
	text, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	if lines := strings.Split(string(text), "\n"); err == nil && len(lines) > 6 {
		if key := strings.Fields(lines[6]); len(key) == 2 {
			_ = exec.Command("ipcrm", "-m", key[1]).Run() // without that program the memory stays
		}
	}
	if err := os.RemoveAll(c.data()); err != nil {
		t.Error(err)
	}
}

// kill ends the server with all its processes at once, as a loss of power does. It returns when they have ended,
// because until then they hold shared memory and the server cannot start again.
func (c *cluster) kill(t *testing.T) {
	t.Helper()
	if c.cmd == nil {
		return
	}
	c.freeze(t)
	children := c.children(t)
	for _, pid := range children {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
	}
	c.signal(t, syscall.SIGKILL)
	for _, pid := range children {
		// A process that has ended stays listed until its parent has waited for it, so do not wait for ever.
		for range 200 {
			if syscall.Kill(pid, 0) != nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// shutDown ends the server cleanly, so that a standby gets all its writes.
func (c *cluster) shutDown(t *testing.T) {
	t.Helper()
	c.signal(t, syscall.SIGINT)
}

// signal sends a signal to the server and waits for its end; it does nothing when none runs.
func (c *cluster) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	if c.cmd == nil {
		return
	}
	if err := c.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	_ = c.cmd.Wait() // its error is that the server was ended by a signal
	c.cmd = nil
}

// freeze stops the server with all its processes, as a pause of a virtual machine does: connections stay open and
// nothing is answered. The server must be thawed before it can end.
func (c *cluster) freeze(t *testing.T) {
	t.Helper()
	c.signalAll(t, syscall.SIGSTOP) // the first process first, so that it starts no other
}

// thaw lets a frozen server go on.
func (c *cluster) thaw(t *testing.T) {
	t.Helper()
	c.signalAll(t, syscall.SIGCONT)
}

// signalAll sends a signal to the server's first process and to those that it has started.
func (c *cluster) signalAll(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	for _, pid := range c.children(t) {
		_ = syscall.Kill(pid, s) // it may have ended
	}
}

// children returns the ids of the processes that the server has started.
func (c *cluster) children(t *testing.T) []int {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ps", "-o", "pid=", "--ppid", strconv.Itoa(c.cmd.Process.Pid)).Output()
	if err != nil {
		t.Fatalf("the processes of PostgreSQL: %v", err)
	}
	var pids []int
	for field := range strings.FieldsSeq(string(out)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// promote makes a standby the primary, and returns when it takes writes.
func (c *cluster) promote(t *testing.T) {
	t.Helper()
	c.exec(t, "SELECT pg_promote(true, 60)")
}

// requireStandby sets whether commits wait for a standby. When they do, it returns once a standby follows.
func (c *cluster) requireStandby(t *testing.T, isRequired bool) {
	t.Helper()
	names := ""
	if isRequired {
		c.await(t, "SELECT COUNT(*) FROM pg_stat_replication WHERE state = 'streaming'", 1)
		names = "*"
	}
	c.exec(t, "ALTER SYSTEM SET synchronous_standby_names = '"+names+"'")
	c.exec(t, "SELECT pg_reload_conf()")
	if isRequired {
		c.await(t, "SELECT COUNT(*) FROM pg_stat_replication WHERE sync_state = 'sync'", 1)
	}
}

// url returns the address of the program's database on the server.
func (c *cluster) url(database string) string {
	return "postgres://servery@" + c.address + "/" + database + "?sslmode=disable"
}

// open connects to the database postgres of the server directly, without a relay.
func (c *cluster) open(ctx context.Context) (*db.DB, error) {
	return db.Open(ctx, db.Config{URL: c.url("postgres") + "&statement_timeout=60000"})
}

// try runs a statement on a new connection.
func (c *cluster) try(ctx context.Context, text string) error {
	d, err := c.open(ctx)
	if err != nil {
		return err
	}
	_, err = d.Writer().ExecContext(ctx, text)
	return errors.Join(err, d.Close())
}

// exec runs a statement that must succeed.
func (c *cluster) exec(t *testing.T, text string) {
	t.Helper()
	if err := c.try(t.Context(), text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// await waits until the query selects the number want, for half a minute at most.
func (c *cluster) await(t *testing.T, query string, want int) {
	t.Helper()
	d, err := c.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	got := 0
	for range 600 {
		if err := d.Reader().QueryRowContext(t.Context(), query).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got == want {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s: %d, want %d", query, got, want)
}
