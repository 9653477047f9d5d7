package races_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/relaytest"
)

const (
	// alertsVariable switches on the tests in which a real Prometheus watches failures.
	alertsVariable = "SERVERY_ALERTS"
	// pendingWithin is how soon after a failure its alert must be pending.
	pendingWithin = 30 * time.Second
	// quietFor is how long it is checked that no alert is pending when nothing has failed.
	quietFor = 20 * time.Second
)

// When something fails while orders are placed, the alert for it is pending within half a minute, and no other.
func TestAlerts_arePendingForWhatHasFailedAndForNothingElse(t *testing.T) {
	t.Parallel()
	if os.Getenv(alertsVariable) == "" {
		t.Skip("LEFT OUT: the alerts are watched by Prometheus for some minutes: make alerts")
	}
	requirePage(t)
	t.Run(string(db.Postgres), func(t *testing.T) {
		t.Parallel()
		watchAlertsOverPostgres(t)
	})
	t.Run(string(db.SQLite), func(t *testing.T) {
		t.Parallel()
		disk := newSmallDisk(t)
		f := newFile(t, 1, disk)
		w := watchAlerts(t, f.servers)
		w.expectQuiet(t)
		disk.fill(t, f.servers)
		w.expect(t, "DatabaseLost")
		disk.clear(t, f.servers)
		w.expect(t)
		f.close(t, f.opened)
	})
	t.Run("the sender of codes", func(t *testing.T) {
		t.Parallel()
		watchAlertsOfSender(t)
	})
}

// watchAlertsOverPostgres makes failures one after the other and checks the alerts: of a primary with a synchronous
// standby, of two processes that use it, and of a job.
func watchAlertsOverPostgres(t *testing.T) {
	primary, standby := newCluster(t), newCluster(t)
	primary.create(t)
	standby.copyFrom(t, primary)
	primary.requireStandby(t, true)
	relay := relaytest.New(t, primary.address)
	h := &house{}
	for range 2 {
		h.servers = append(h.servers, start(t, settings{
			Content: newContent(t, 1), Addr: freeAddress(t),
			DatabaseURL: "postgres://servery@" + relay.Addr() + "/servery?sslmode=disable",
		}))
	}
	s := openShift(t, h)
	w := watchAlerts(t, h.servers)
	s.awaitOrders(t, 10)
	w.expectQuiet(t)

	t.Run("a release is replaced under orders", func(t *testing.T) {
		for i := range h.servers {
			s.killProcess(t, i)
		}
		w.expectNoneFired(t)
		w.expect(t)
	})
	for _, fault := range []struct {
		name            string
		breakIt, mendIt func()
	}{
		{"the primary is killed", func() { primary.kill(t) }, func() { primary.start(t) }},
		{"the primary vanishes", func() { relay.SetState(relaytest.Frozen) }, func() { relay.SetState(relaytest.Open) }},
		{"the standby is away", func() { standby.kill(t) }, func() { standby.start(t) }},
	} {
		t.Run(fault.name, func(t *testing.T) {
			fault.breakIt()
			w.expect(t, "DatabaseLost")
			fault.mendIt()
			w.expect(t)
		})
	}
	d, err := db.Open(t.Context(), db.Config{URL: primary.url("servery")})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	t.Run("a job is stuck", func(t *testing.T) {
		stuck := putStuckJob(t, d)
		w.expect(t, "JobsBehind")
		if _, err := d.Writer().ExecContext(t.Context(), "DELETE FROM river_job WHERE id = $1", stuck); err != nil {
			t.Fatal(err)
		}
		w.expect(t)
	})
	s.close(t, d)
	t.Run("the proxy has no process", func(t *testing.T) {
		for _, server := range h.servers {
			server.kill(t)
		}
		w.expect(t, "NoProcessTakesOrders")
		for _, server := range h.servers {
			server.begin(t)
		}
		w.expect(t)
	})
}

// putStuckJob stores a job that is due in a queue without a worker, and returns its id.
func putStuckJob(t *testing.T, d *db.DB) (id int64) {
	t.Helper()
	err := d.Writer().QueryRowContext(t.Context(), `INSERT INTO river_job (args, kind, max_attempts, queue, state, scheduled_at)
		VALUES ('{}', 'races.stuck', 5, 'no_worker', 'available', now()) RETURNING id`).Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// alertWatch is a Prometheus with the rules of the repository.
type alertWatch struct {
	url string
}

// watchAlerts starts a Prometheus that reads the metrics of the processes each second, until the end of the test.
// It returns when all processes are up and no alert is pending. It skips the test where Prometheus is not
// installed.
func watchAlerts(t *testing.T, servers []*process) *alertWatch {
	t.Helper()
	program, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("NOT TRIED: prometheus is not installed")
	}
	rules, err := filepath.Abs("../deploy/prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, server := range servers {
		targets = append(targets, fmt.Sprintf("%q", strings.TrimPrefix(server.url, "http://")))
	}
	dir, address := t.TempDir(), freeAddress(t)
	config := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s, scrape_timeout: 1s}\nrule_files: [%q]\nscrape_configs: [{job_name: servery, static_configs: [{targets: [%s]}]}]\n",
		rules, strings.Join(targets, ", "))
	if err := os.WriteFile(filepath.Join(dir, "prometheus.yml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address, "--log.level=error")
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // the end of the test's context has killed it
	w := &alertWatch{url: "http://" + address}
	for range 200 {
		if isUp, err := w.query(t, fmt.Sprintf("count(up == 1) == %d", len(servers))); err == nil && isUp {
			w.expect(t) // alerts that were pending at the first reading must have ended
			return w
		}
		<-time.After(100 * time.Millisecond)
	}
	t.Fatal("Prometheus does not see the processes")
	return nil
}

// query reports whether the expression has any result.
func (w *alertWatch) query(t *testing.T, expression string) (bool, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/api/v1/query?query="+url.QueryEscape(expression), nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return false, err
	}
	defer response.Body.Close()
	var answer struct {
		Data struct {
			Result []any `json:"result"`
		} `json:"data"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return false, err
	}
	return len(answer.Data.Result) > 0, nil
}

// list returns the states of the alerts that are pending or firing, by their names.
func (w *alertWatch) list(t *testing.T) (map[string]string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/api/v1/alerts", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Data struct {
			Alerts []struct {
				State  string            `json:"state"`
				Labels map[string]string `json:"labels"`
			} `json:"alerts"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, err
	}
	states := map[string]string{}
	for _, a := range answer.Data.Alerts {
		states[a.Labels["alertname"]] = a.State
	}
	return states, nil
}

// expect waits until exactly the alerts in want, in alphabetical order, are pending or firing. It fails the test when
// another alert is seen, or after pendingWithin. Without names it waits until no alert is left.
func (w *alertWatch) expect(t *testing.T, want ...string) {
	t.Helper()
	begun := now()
	for {
		states, err := w.list(t)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Sorted(maps.Keys(states))
		if slices.Equal(got, want) {
			t.Logf("%q after %s", want, now().Sub(begun).Round(time.Second))
			break
		}
		for _, name := range got {
			if len(want) > 0 && !slices.Contains(want, name) {
				t.Errorf("%s is %s too, beside %q", name, states[name], want)
				return
			}
		}
		if now().Sub(begun) > pendingWithin+allowance {
			t.Fatalf("after %s the alerts are %v, want %q", pendingWithin, states, want)
		}
		<-time.After(500 * time.Millisecond)
	}
}

// expectEnd waits until the alert has ended. It fails the test when another alert is seen, or after the time within.
func (w *alertWatch) expectEnd(t *testing.T, alert string, within time.Duration) {
	t.Helper()
	for begun := now(); ; <-time.After(500 * time.Millisecond) {
		states, err := w.list(t)
		if err != nil {
			t.Fatal(err)
		}
		if len(states) == 0 {
			t.Logf("%s has ended after %s", alert, now().Sub(begun).Round(time.Second))
			return
		}
		if _, isLeft := states[alert]; !isLeft || len(states) > 1 {
			t.Fatalf("the alerts are %v, want %s alone until it ends", states, alert)
		}
		if now().Sub(begun) > within+allowance {
			t.Fatalf("after %s the alerts are still %v", within, states)
		}
	}
}

// expectQuiet fails the test when an alert is pending or firing within quietFor.
func (w *alertWatch) expectQuiet(t *testing.T) {
	t.Helper()
	for begun := now(); now().Sub(begun) < quietFor; <-time.After(time.Second) {
		if states, err := w.list(t); err != nil || len(states) > 0 {
			t.Fatalf("nothing has failed, and the alerts are %v (%v)", states, err)
		}
	}
}

// expectNoneFired expects that no alert has fired since Prometheus was started.
func (w *alertWatch) expectNoneFired(t *testing.T) {
	t.Helper()
	hasFired, err := w.query(t, `count_over_time(ALERTS{alertstate="firing"}[1h])`)
	if err != nil || hasFired {
		t.Errorf("an alert has fired, or cannot be asked for: %v", err)
	}
}
