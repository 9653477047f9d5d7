package races_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/db/relaytest"
	"servery/internal/lang"
)

// faultsVariable is the number of rounds; each makes every fault once. Rounds also make a slow database slower.
const faultsVariable = "SERVERY_FAULT_ROUNDS"

// frozenFor is how long a process or a server of the database is frozen.
const frozenFor = 20 * time.Second

// fromMemory are the paths that a process answers without a database.
var fromMemory = []string{"/", "/north", "/north/cart", "/readyz/pages", "/healthz", "/api/cities", "/api/products?city_id=1&order_type=takeaway"}

// While a database is frozen, killed, slow, locked or full, no order is lost and all calls are answered: calls that
// need the database by 503 with a time to call again, menu and pages as usual.
func TestFaults_databaseBreaksAndNoOrderIsLost(t *testing.T) {
	t.Parallel()
	requirePage(t)
	rounds, packet := faultRounds(t)
	t.Run(string(db.Postgres), func(t *testing.T) {
		t.Parallel()
		breakPostgres(t, rounds, packet)
	})
	t.Run(string(db.SQLite), func(t *testing.T) {
		t.Parallel()
		breakSQLite(t, rounds)
	})
}

// Two processes may share a file, as they do for a moment when a service manager replaces one by the other. No order
// is lost when either of them is killed, or when the file is locked or the disk full.
func TestFaults_twoProcessesShareAFile(t *testing.T) {
	t.Parallel()
	requirePage(t)
	rounds, _ := faultRounds(t)
	f := newFile(t, 2, newSmallDisk(t))
	for round := range rounds {
		t.Run("killed", func(t *testing.T) { f.killProcess(t, round%2) })
		t.Run("locked", f.lock)
		t.Run("full", f.fill)
	}
	f.close(t, f.opened)
}

// A frozen process may hold the lock of the file, and makes its log grow. The other process may have to wait, and no
// order is lost.
func TestFaults_oneOfTwoProcessesOverAFileIsFrozen(t *testing.T) {
	t.Parallel()
	requirePage(t)
	rounds, _ := faultRounds(t)
	f := newFile(t, 2, &smallDisk{dir: t.TempDir()})
	for round := range rounds {
		t.Run("frozen", func(t *testing.T) { f.freezeProcess(t, round%2, frozenFor, false) })
	}
	f.close(t, f.opened)
}

// One of three processes over one PostgreSQL is killed, or frozen for longer than any call may take.
func TestFaults_aProcessIsGone(t *testing.T) {
	t.Parallel()
	requirePage(t)
	rounds, _ := faultRounds(t)
	c := newCluster(t)
	c.create(t)
	h, content := &house{}, newContent(t, 1)
	for range 3 {
		h.servers = append(h.servers, start(t, settings{Content: content, DatabaseURL: c.url("servery"), Addr: freeAddress(t)}))
	}
	s := openShift(t, h)
	for round := range rounds {
		t.Run("killed", func(t *testing.T) { s.killProcess(t, round%3) })
		t.Run("frozen", func(t *testing.T) { s.freezeProcess(t, round%3, frozenFor, true) })
	}
	d, err := db.Open(t.Context(), db.Config{URL: c.url("servery")})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	s.close(t, d)
}

// faultRounds returns how often each fault is made, and the delay of each packet to and from a slow database.
func faultRounds(t *testing.T) (rounds int, packet time.Duration) {
	t.Helper()
	text := os.Getenv(faultsVariable)
	if text == "" {
		return 1, 50 * time.Millisecond
	}
	rounds, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return rounds, 200 * time.Millisecond
}

// breakPostgres makes the faults of a single PostgreSQL server that two processes use: frozen, killed, slow.
func breakPostgres(t *testing.T, rounds int, packet time.Duration) {
	c := newCluster(t)
	c.create(t)
	relay := relaytest.New(t, c.address)
	with := settings{
		Content:     newContent(t, 1),
		DatabaseURL: "postgres://servery@" + relay.Addr() + "/servery?sslmode=disable",
	}
	s := openShift(t, &house{servers: []*process{start(t, with), start(t, with)}})
	for range rounds {
		t.Run("frozen", func(t *testing.T) {
			s.breakDatabase(t, fault{
				make: func() { relay.SetState(relaytest.Frozen) },
				mend: func() { relay.SetState(relaytest.Open) },
			})
		})
		t.Run("killed", func(t *testing.T) {
			s.breakDatabase(t, fault{make: func() { c.kill(t) }, mend: func() { c.start(t) }})
		})
		t.Run("slow", func(t *testing.T) {
			s.name = t.Name()
			s.awaitOrders(t, 10)
			since := now()
			relay.Delay(packet)
			slow := now()
			s.awaitOrders(t, 10)
			took := now().Sub(slow)
			relay.Delay(0)
			s.awaitOrders(t, 10)
			t.Logf("10 orders took %s with %s for each packet; orders stood still for %s",
				took.Round(time.Millisecond), packet, s.standstill(since).Round(time.Millisecond))
		})
	}
	d, err := db.Open(t.Context(), db.Config{URL: c.url("servery")})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	s.close(t, d)
}

// breakSQLite makes the faults of an SQLite file that one process uses: locked, full.
func breakSQLite(t *testing.T, rounds int) {
	f := newFile(t, 1, newSmallDisk(t))
	for range rounds {
		t.Run("locked", f.lock)
		t.Run("full", f.fill)
	}
	f.close(t, f.opened)
}

// file is an SQLite database, and the processes over it.
type file struct {
	*shift

	disk   *smallDisk
	opened *db.DB
}

// newFile starts the given number of processes over one SQLite file on the disk, and a shift of customers who order
// through all of them.
func newFile(t *testing.T, processes int, disk *smallDisk) *file {
	t.Helper()
	from := dbtest.Config(t, db.SQLite).Dir
	f := &file{disk: disk}
	if err := os.CopyFS(f.disk.dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	h, content := &house{}, newContent(t, 1)
	for range processes {
		h.servers = append(h.servers, start(t, settings{Data: f.disk.dir, Content: content, Addr: freeAddress(t)}))
	}
	f.shift = openShift(t, h)
	var err error
	if f.opened, err = db.Open(t.Context(), db.Config{Dir: f.disk.dir}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.opened.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// lock checks that the shift survives a time in which another connection keeps the file locked.
func (f *file) lock(t *testing.T) {
	unlocked, ended := make(chan struct{}), make(chan error, 1)
	f.breakDatabase(t, fault{make: func() {
		locked := make(chan struct{})
		go func() {
			ended <- f.opened.InTx(t.Context(), func(*db.Tx) error {
				close(locked)
				<-unlocked
				return nil
			})
		}()
		<-locked
	}, mend: func() { close(unlocked) }})
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// fill checks that the shift survives a time in which the disk is full.
func (f *file) fill(t *testing.T) {
	f.breakDatabase(t, fault{
		make:      func() { f.disk.fill(t, f.servers) },
		mend:      func() { f.disk.clear(t, f.servers) },
		isPartial: true,
	})
}

// fault is something that breaks a database.
type fault struct {
	make, mend func()
	// isPartial reports that a write may still succeed: on a full disk SQLite writes over the part of its log that it
	// has copied to the file, until it needs a byte more.
	isPartial bool
}

// breakDatabase breaks the database and waits until no process is ready. It checks the answers of calls in that time,
// mends the database, and checks that every process takes orders again within the promised time.
func (s *shift) breakDatabase(t *testing.T, f fault) {
	t.Helper()
	s.name = t.Name()
	s.awaitOrders(t, 10)
	since := now()
	f.make()
	var refusals sync.WaitGroup
	for _, server := range s.servers {
		s.await(t, "the end of readiness", func() bool {
			return s.get(t, server, "/readyz", "ru").StatusCode == http.StatusServiceUnavailable
		})
		refusals.Go(func() { s.checkRefusal(t, server, lang.RU, f.isPartial) })
		refusals.Go(func() { s.checkRefusal(t, server, lang.EN, f.isPartial) })
		for _, path := range fromMemory {
			if status := s.get(t, server, path, "ru").StatusCode; status != http.StatusOK {
				t.Errorf("%s: %d", path, status)
			}
		}
	}
	refusals.Wait()
	mended := now()
	f.mend()
	first := s.firstAfter(t, mended)
	for i, server := range s.servers {
		s.await(t, "readiness", func() bool { return s.get(t, server, "/readyz", "ru").StatusCode == http.StatusOK })
		if first[i] > answeredWithin+allowance {
			t.Errorf("process %d took no order for %s after the database was back", i, first[i])
		}
	}
	s.awaitOrders(t, 10)
	t.Logf("mended after %s; then the processes took orders after %v; orders stood still for %s",
		mended.Sub(since).Round(time.Millisecond), first, s.standstill(since).Round(time.Millisecond))
}

// checkRefusal makes a call that writes, and expects 503 with Retry-After and a message in the language. While the
// fault is partial, it makes the call again for as long as it succeeds.
func (s *shift) checkRefusal(t *testing.T, server *process, language lang.Lang, isPartial bool) {
	t.Helper()
	response, text := s.write(t, server, language)
	for begun := now(); isPartial && response.StatusCode == http.StatusOK && now().Sub(begun) < patience; {
		response, text = s.write(t, server, language)
	}
	words := lang.T(language, "common.database_away", nil)
	if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" || !strings.Contains(text, words) {
		t.Errorf("a write is answered %d, Retry-After %q, %s", response.StatusCode, response.Header.Get("Retry-After"), text)
	}
}

// write adds a dish to the cart of a new session, and returns the answer with its text.
func (s *shift) write(t *testing.T, server *process, language lang.Lang) (*http.Response, string) {
	t.Helper()
	body := strings.NewReader(`{"city_id":1,"order_type":"takeaway","shop_id":11,"product_key":"1-101","count":1}`)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, server.url+"/api/cart/add", body)
	if err != nil {
		t.Error(err)
		return &http.Response{}, ""
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept-Language", string(language))
	response, err := s.client.Do(r)
	if err != nil {
		t.Error(err)
		return &http.Response{}, ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	return response, string(text)
}

// smallDisk is a folder on which writes can be made to fail as on a full disk.
type smallDisk struct {
	dir string
	// isMounted reports that the folder is a disk of its own. Otherwise a full disk is simulated by a limit on
	// the size of the servers' files.
	isMounted bool
}

// newSmallDisk mounts a disk of 256 MiB in memory, or returns a folder where that is not allowed.
func newSmallDisk(t *testing.T) *smallDisk {
	t.Helper()
	disk := &smallDisk{dir: t.TempDir()}
	if err := exec.CommandContext(t.Context(), "mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", disk.dir).Run(); err != nil {
		t.Log("the full disk is a limit on the size of files: no small disk may be mounted here")
		return disk
	}
	disk.isMounted = true
	t.Log("the full disk is a small one of its own")
	t.Cleanup(func() {
		if out, err := exec.Command("umount", disk.dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	return disk
}

// filler returns the path of the file that fills the disk.
func (d *smallDisk) filler() string { return filepath.Join(d.dir, "filler") }

// fill fills the disk to the last byte, or limits the size of the servers' files.
func (d *smallDisk) fill(t *testing.T, servers []*process) {
	t.Helper()
	if !d.isMounted {
		limitFiles(t, servers, "4096:unlimited")
		return
	}
	f, err := os.Create(d.filler())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int{1 << 20, 4096, 1} {
		for block := make([]byte, size); err == nil; {
			_, err = f.Write(block)
		}
		err = nil
	}
}

// clear undoes fill.
func (d *smallDisk) clear(t *testing.T, servers []*process) {
	t.Helper()
	if !d.isMounted {
		limitFiles(t, servers, "unlimited:unlimited")
		return
	}
	if err := os.Remove(d.filler()); err != nil {
		t.Fatal(err)
	}
}

// limitFiles sets how large files of the servers may grow. limit is in the form of prlimit, in bytes.
func limitFiles(t *testing.T, servers []*process, limit string) {
	t.Helper()
	for _, server := range servers {
		out, err := exec.CommandContext(t.Context(), "prlimit", "--pid", strconv.Itoa(server.cmd.Process.Pid), "--fsize="+limit).CombinedOutput()
		if err != nil {
			t.Fatalf("prlimit: %v %s", err, out)
		}
	}
}
