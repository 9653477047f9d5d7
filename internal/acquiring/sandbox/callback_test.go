//go:build !release

package sandbox_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/sandbox"
)

// callbackServer is a shop that receives callbacks. It answers the first failures of them with 503,
// and records the notices and addresses of the others, and all errors.
type callbackServer struct {
	mu       sync.Mutex
	failures int
	notices  []acquiring.Notice
	hosts    []string
	failed   []error
}

// serve starts the server until the end of the test, and returns the shop's bank with its callbacks
// delivered there.
func (e *callbackServer) serve(s *shop) *sandbox.Bank {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		defer e.mu.Unlock()
		body, _ := io.ReadAll(r.Body)
		n, err := s.VerifyCallback(r.Context(), acquiring.Callback{Method: r.Method, Header: r.Header, Body: body})
		if err != nil {
			e.failed = append(e.failed, err)
		}
		if e.failures > 0 {
			e.failures--
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		e.notices, e.hosts = append(e.notices, n), append(e.hosts, r.Host+r.URL.Path)
	}))
	s.t.Cleanup(server.Close)
	return s.bank.WithAddress(server.Listener.Addr().String())
}

// A callback is sent again until the shop answers 200, to the address of the shop. Test cards
// send it twice, never, or half a minute later.
func TestBank_Run_sendsCallbacksUntilTheyAreAnswered(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		e := &callbackServer{failures: 2}
		bank := e.serve(s)
		work := func() {
			t.Helper()
			if err := bank.DoDueWork(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		in, _ := s.chargeCard("answered", "paid")
		for range 5 {
			work()
			s.clock.Advance(5 * time.Second)
		}
		if len(e.failed) != 0 || len(e.notices) != 1 || e.hosts[0] != "shop.example/api/callback/sandbox" {
			t.Fatalf("heard %d times at %v, %v", len(e.notices), e.hosts, e.failed)
		}
		if got := e.notices[0].Event; got.Key() != s.mustQuery(in).Key() {
			t.Errorf("sent %+v", got)
		}
		for card, times := range map[string]int{"two_callbacks": 2, "no_callback": 0, "late_callback": 1, "fraud": 1} {
			e.notices = nil
			s.chargeCard("t-"+strings.ReplaceAll(card, "_", "-"), card)
			work()
			if soon := len(e.notices); card == "late_callback" && soon != 0 {
				t.Error("shown at once")
			}
			s.clock.Advance(31 * time.Second)
			work()
			work()
			if len(e.notices) != times {
				t.Errorf("%s: shown %d times", card, len(e.notices))
			}
		}
	})
}

// Four processes do the due work at the same time: each of five callbacks is sent once.
func TestBank_DoDueWork_sendsEachCallbackOnceFromSeveralProcesses(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		e := &callbackServer{}
		bank := e.serve(s)
		for i := range 5 {
			s.chargeCard(fmt.Sprintf("news-%d", i), "paid")
		}
		var work sync.WaitGroup
		for range 4 {
			work.Go(func() {
				if err := bank.DoDueWork(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		work.Wait()
		if len(e.notices) != 5 {
			t.Errorf("shown %d times", len(e.notices))
		}
	})
}

// The running work loop sends the callback about a payment without any call to DoDueWork, once.
func TestBank_Run_sendsCallbacksAtOnce(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		e := &callbackServer{}
		ctx, end := context.WithCancel(t.Context())
		bank := e.serve(s)
		var loop sync.WaitGroup
		loop.Go(func() { bank.Run(ctx) })
		s.chargeCard("loop", "paid")
		deadline := time.After(10 * time.Second)
		for waiting := 1; waiting > 0; {
			select {
			case <-deadline:
				t.Fatal("not shown")
			default:
			}
			var err error
			if waiting, err = bank.CountWaitingCallbacks(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		end()
		loop.Wait()
		if len(e.notices) != 1 {
			t.Errorf("shown %d times", len(e.notices))
		}
	})
}
