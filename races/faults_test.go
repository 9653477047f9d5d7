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

// faultsVariable is how often the database breaks in each way.
const faultsVariable = "SERVERY_FAULT_ROUNDS"

// fromMemory is what is answered without a database.
var fromMemory = []string{"/", "/north", "/north/cart", "/readyz/pages", "/healthz", "/api/cities", "/api/products?city_id=1&order_type=takeaway"}

// A database that is frozen, killed, slow, locked or full costs no order, and calls are answered
// all the time: what needs the database by 503 and when to come again, menu and pages as ever.
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

// faultRounds returns how often each fault is made, and how long each packet takes to and from
// a slow database.
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

// breakPostgres makes the faults of a single server of PostgreSQL under two processes.
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
			s.breakDatabase(t, func() { relay.SetState(relaytest.Frozen) }, func() { relay.SetState(relaytest.Open) })
		})
		t.Run("killed", func(t *testing.T) {
			s.breakDatabase(t, func() { c.kill(t) }, func() { c.start(t) })
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

// breakSQLite makes the faults of a file under one process: another program keeps it locked, and
// its disk is full.
func breakSQLite(t *testing.T, rounds int) {
	from := dbtest.Config(t, db.SQLite).Dir
	disk := newSmallDisk(t)
	where := db.Config{Dir: disk.dir}
	if err := os.CopyFS(disk.dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	server := start(t, settings{Data: disk.dir, Content: newContent(t, 1)})
	s := openShift(t, &house{servers: []*process{server}})
	d, err := db.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for range rounds {
		t.Run("locked", func(t *testing.T) {
			unlocked, ended := make(chan struct{}), make(chan error, 1)
			s.breakDatabase(t, func() {
				locked := make(chan struct{})
				go func() {
					ended <- d.InTx(t.Context(), func(*db.Tx) error {
						close(locked)
						<-unlocked
						return nil
					})
				}()
				<-locked
			}, func() { close(unlocked) })
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
		t.Run("full", func(t *testing.T) {
			s.breakDatabase(t, func() { disk.fill(t, server) }, func() { disk.clear(t, server) })
		})
	}
	s.close(t, d)
}

// breakDatabase breaks the database until orders are refused and no process is ready, checks
// the answers until then, and mends it: then orders go on.
func (s *shift) breakDatabase(t *testing.T, breakIt, mend func()) {
	t.Helper()
	s.name = t.Name()
	s.awaitOrders(t, 10)
	since := now()
	breakIt()
	var all sync.WaitGroup
	for _, server := range s.servers {
		s.await(t, "the end of readiness", func() bool {
			return s.get(t, server, "/readyz", "ru").StatusCode == http.StatusServiceUnavailable
		})
		all.Go(func() { s.checkRefusal(t, server, lang.RU) })
		all.Go(func() { s.checkRefusal(t, server, lang.EN) })
		for _, path := range fromMemory {
			if status := s.get(t, server, path, "ru").StatusCode; status != http.StatusOK {
				t.Errorf("%s: %d", path, status)
			}
		}
	}
	all.Wait()
	mended := now()
	mend()
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

// checkRefusal sends a call that writes, and expects to be asked to come again, in the
// language of the customer.
func (s *shift) checkRefusal(t *testing.T, server *process, language lang.Lang) {
	t.Helper()
	body := strings.NewReader(`{"city_id":1,"order_type":"takeaway","shop_id":11,"product_key":"1-101","count":1}`)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, server.url+"/api/cart/add", body)
	if err != nil {
		t.Error(err)
		return
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept-Language", string(language))
	response, err := s.client.Do(r)
	if err != nil {
		t.Error(err)
		return
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Error(err)
	}
	words := lang.T(language, "common.database_away", nil)
	if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" || !strings.Contains(string(text), words) {
		t.Errorf("a write is answered %d, Retry-After %q, %s", response.StatusCode, response.Header.Get("Retry-After"), text)
	}
}

// smallDisk is a folder that can be made full.
type smallDisk struct {
	dir string
	// isMounted says that the folder is a disk of its own; otherwise the server's files may not
	// grow while it is full.
	isMounted bool
}

func newSmallDisk(t *testing.T) *smallDisk {
	t.Helper()
	disk := &smallDisk{dir: t.TempDir()}
	if err := exec.CommandContext(t.Context(), "mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk.dir).Run(); err != nil {
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

func (d *smallDisk) filler() string { return filepath.Join(d.dir, "filler") }

// fill leaves no room.
func (d *smallDisk) fill(t *testing.T, server *process) {
	t.Helper()
	if !d.isMounted {
		limitFiles(t, server, "4096:unlimited")
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

// clear makes room.
func (d *smallDisk) clear(t *testing.T, server *process) {
	t.Helper()
	if !d.isMounted {
		limitFiles(t, server, "unlimited:unlimited")
		return
	}
	if err := os.Remove(d.filler()); err != nil {
		t.Fatal(err)
	}
}

// limitFiles bounds how large the files of a server may grow.
func limitFiles(t *testing.T, server *process, limit string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "prlimit", "--pid", strconv.Itoa(server.cmd.Process.Pid), "--fsize="+limit).CombinedOutput()
	if err != nil {
		t.Fatalf("prlimit: %v %s", err, out)
	}
}
