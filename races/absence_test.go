package races_test

import (
	"net/http"
	"testing"
	"time"
)

// absence is a time in which a process is gone or frozen: what is sent to it then has no answer,
// or a late one.
type absence struct {
	host  string
	until time.Time // zero while it lasts
}

// leave begins an absence of a process; it must be called before the process is gone.
func (s *shift) leave(server *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.absences = append(s.absences, absence{host: server.with.Addr})
}

// comeBack ends the absence of a process, once it answers again.
func (s *shift) comeBack(server *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, a := range s.absences {
		if a.host == server.with.Addr && a.until.IsZero() {
			s.absences[i].until = now()
		}
	}
}

// wasAbsent reports whether the process was absent at any time of a call that has just ended. The
// shift must be locked.
func (s *shift) wasAbsent(host string, begun time.Time) bool {
	for _, a := range s.absences {
		if a.host == host && (a.until.IsZero() || a.until.After(begun)) {
			return true
		}
	}
	return false
}

// others returns the numbers of all processes but one.
func (s *shift) others(i int) []int {
	var others []int
	for n := range s.servers {
		if n != i {
			others = append(others, n)
		}
	}
	return others
}

// checkGoOn expects an order of each of the processes within the promised time after the instant.
func (s *shift) checkGoOn(t *testing.T, at time.Time, servers []int) []time.Duration {
	t.Helper()
	first := s.firstOrders(t, at, servers)
	for i, after := range first {
		if after > answeredWithin+allowance {
			t.Errorf("process %d took no order for %s", servers[i], after)
		}
	}
	return first
}

// killProcess kills one of several processes while all take orders: the others go on, and so does
// it once it runs again.
func (s *shift) killProcess(t *testing.T, i int) {
	t.Helper()
	s.name = t.Name()
	s.awaitOrders(t, 10)
	server := s.servers[i]
	s.leave(server)
	killed := now()
	server.kill(t)
	others := s.checkGoOn(t, killed, s.others(i))
	s.awaitOrders(t, 50)
	server.begin(t)
	s.comeBack(server)
	back := now()
	all := s.checkGoOn(t, back, s.numbers())
	s.awaitOrders(t, 10)
	t.Logf("the others took orders after %v; all did %v after it was back; orders stood still for %s",
		others, all, s.standstill(killed).Round(time.Millisecond))
}

// numbers returns the numbers of all processes.
func (s *shift) numbers() []int { return s.others(-1) }

// freezeProcess freezes one of several processes for a time while all take orders, and stops the
// dessert through another one: the others go on, and the frozen one does not sell the dessert for
// longer than promised once it is awake. Where goOn is false the others may have to wait for the end.
func (s *shift) freezeProcess(t *testing.T, i int, length time.Duration, goOn bool) {
	t.Helper()
	s.name = t.Name()
	s.awaitOrders(t, 10)
	frozen, other := s.servers[i], s.servers[s.others(i)[0]]
	late := &diner{shift: s, server: i, number: s.phones.Add(1)}
	late.chooseDessert(t)
	s.leave(frozen)
	since := now()
	frozen.freeze(t)
	defer frozen.thaw(t)
	var others []time.Duration
	if goOn {
		others = s.checkGoOn(t, since, s.others(i))
		s.stopDessert(t, other, true)
	}
	time.Sleep(length - now().Sub(since))
	woken := now()
	frozen.thaw(t)
	if !goOn {
		s.stopDessert(t, other, true)
		woken = now()
	}
	held := s.awaitRefusal(t, frozen, woken)
	s.comeBack(frozen)
	if held > stopWithin+allowance {
		t.Errorf("the frozen process sold what was stopped for %s", held)
	}
	if a := late.orderOnce(t.Context()); a.status != http.StatusConflict && a.status != http.StatusUnprocessableEntity {
		t.Errorf("an order with what is stopped is answered %s", a)
	}
	all := s.checkGoOn(t, woken, s.numbers())
	s.stopDessert(t, other, false)
	s.awaitOrders(t, 10)
	t.Logf("frozen for %s; the others took orders after %v, all did %v after the end; a stop held after %s; orders stood still for %s",
		woken.Sub(since).Round(time.Millisecond), others, all, held.Round(time.Millisecond), s.standstill(since).Round(time.Millisecond))
}

// stopDessert stops the dessert through a process, or takes the stop back.
func (s *shift) stopDessert(t *testing.T, through *process, isStopped bool) {
	t.Helper()
	body := object{"site": "races", "kind": "product", "alias": "dessert", "off": !isStopped}
	s.await(t, "the stop", func() bool {
		status, _ := s.operateAt(t, through, http.MethodPost, "/stops", body)
		return status == http.StatusOK
	})
}

// awaitRefusal returns after how long a process no longer sells the dessert.
func (s *shift) awaitRefusal(t *testing.T, server *process, since time.Time) time.Duration {
	t.Helper()
	buyer := &diner{shift: s, number: s.phones.Add(1)}
	for n, one := range s.servers {
		if one == server {
			buyer.server = n
		}
	}
	s.await(t, "the refusal of the dessert", func() bool {
		a := buyer.addDessert(t.Context())
		return a.status == http.StatusConflict || a.status == http.StatusUnprocessableEntity
	})
	return now().Sub(since)
}
