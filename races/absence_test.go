package races_test

import (
	"net/http"
	"testing"
	"time"
)

// absence is a period in which a process is gone or frozen. Calls to it get no answer in that time, or a late one.
type absence struct {
	host  string
	until time.Time // zero while the absence lasts
}

// beginAbsence records that a process is absent. It must be called before the process is killed or frozen.
func (s *shift) beginAbsence(server *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.absences = append(s.absences, absence{host: server.with.Addr})
}

// endAbsence ends the absence of a process. It must be called after the process answers again.
func (s *shift) endAbsence(server *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, a := range s.absences {
		if a.host == server.with.Addr && a.until.IsZero() {
			s.absences[i].until = now()
		}
	}
}

// wasAbsent reports whether the process at the address host was absent at any time since begun, the start of a
// call. The caller must hold the lock of the shift.
func (s *shift) wasAbsent(host string, begun time.Time) bool {
	for _, a := range s.absences {
		if a.host == host && (a.until.IsZero() || a.until.After(begun)) {
			return true
		}
	}
	return false
}

// others returns the indexes of all processes except i.
func (s *shift) others(i int) []int {
	var others []int
	for n := range s.servers {
		if n != i {
			others = append(others, n)
		}
	}
	return others
}

// checkOrdersGoOn waits until each of the processes has taken an order after the instant at, and returns how long
// each took. It reports an error for a process that took longer than promised.
func (s *shift) checkOrdersGoOn(t *testing.T, at time.Time, servers []int) []time.Duration {
	t.Helper()
	first := s.firstOrders(t, at, servers)
	for i, delay := range first {
		if delay > answeredWithin+allowance {
			t.Errorf("process %d took no order for %s", servers[i], delay)
		}
	}
	return first
}

// killProcess kills process i while all take orders, and starts it again. It checks that the others take orders
// after the kill, and all of them after the start.
func (s *shift) killProcess(t *testing.T, i int) {
	t.Helper()
	s.name = t.Name()
	s.awaitOrders(t, 10)
	server := s.servers[i]
	s.beginAbsence(server)
	killed := now()
	server.kill(t)
	others := s.checkOrdersGoOn(t, killed, s.others(i))
	s.awaitOrders(t, 50)
	server.begin(t)
	s.endAbsence(server)
	restarted := now()
	all := s.checkOrdersGoOn(t, restarted, s.numbers())
	s.awaitOrders(t, 10)
	t.Logf("the others took orders after %v; all did %v after it was back; orders stood still for %s",
		others, all, s.standstill(killed).Round(time.Millisecond))
}

// numbers returns the indexes of all processes.
func (s *shift) numbers() []int { return s.others(-1) }

// freezeProcess freezes process i for a time while all take orders, and stops the dessert through another process.
// It checks that the thawed process refuses the dessert within the promised time. With othersGoOn it also checks
// that the others take orders while the process is frozen; otherwise they may have to wait for it, and the stop is
// set only after the thaw.
func (s *shift) freezeProcess(t *testing.T, i int, length time.Duration, othersGoOn bool) {
	t.Helper()
	s.name = t.Name()
	s.awaitOrders(t, 10)
	frozen, other := s.servers[i], s.servers[s.others(i)[0]]
	late := &diner{shift: s, server: i, number: s.phones.Add(1)}
	late.chooseDessert(t)
	s.beginAbsence(frozen)
	since := now()
	frozen.freeze(t)
	defer frozen.thaw(t)
	var others []time.Duration
	if othersGoOn {
		others = s.checkOrdersGoOn(t, since, s.others(i))
		s.stopDessert(t, other, true)
	}
	time.Sleep(length - now().Sub(since))
	woken := now()
	frozen.thaw(t)
	if !othersGoOn {
		s.stopDessert(t, other, true)
		woken = now()
	}
	held := s.awaitRefusal(t, frozen, woken)
	s.endAbsence(frozen)
	if held > stopWithin+allowance {
		t.Errorf("the frozen process sold what was stopped for %s", held)
	}
	if a := late.orderOnce(t.Context()); a.status != http.StatusConflict && a.status != http.StatusUnprocessableEntity {
		t.Errorf("an order with what is stopped is answered %s", a)
	}
	all := s.checkOrdersGoOn(t, woken, s.numbers())
	s.stopDessert(t, other, false)
	s.awaitOrders(t, 10)
	t.Logf("frozen for %s; the others took orders after %v, all did %v after the end; a stop held after %s; orders stood still for %s",
		woken.Sub(since).Round(time.Millisecond), others, all, held.Round(time.Millisecond), s.standstill(since).Round(time.Millisecond))
}

// stopDessert stops the dessert through a process, or cancels the stop. It repeats the call until it succeeds.
func (s *shift) stopDessert(t *testing.T, through *process, isStopped bool) {
	t.Helper()
	body := object{"site": "races", "kind": "product", "alias": "dessert", "off": !isStopped}
	s.await(t, "the stop", func() bool {
		status, _ := s.operateAt(t, through, http.MethodPost, "/stops", body)
		return status == http.StatusOK
	})
}

// awaitRefusal waits until a process refuses the dessert, and returns the time from since until then.
func (s *shift) awaitRefusal(t *testing.T, server *process, since time.Time) time.Duration {
	t.Helper()
	buyer := &diner{shift: s, number: s.phones.Add(1)}
	for n, candidate := range s.servers {
		if candidate == server {
			buyer.server = n
		}
	}
	s.await(t, "the refusal of the dessert", func() bool {
		a := buyer.addDessert(t.Context())
		return a.status == http.StatusConflict || a.status == http.StatusUnprocessableEntity
	})
	return now().Sub(since)
}
