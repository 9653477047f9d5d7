package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/forward"
)

// The brand's first city is in another zone. The times of a change, in the feed as with the order, are those of the
// order's city.
func TestOperatorChanges_haveTheTimesOfTheOrdersCity(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	cities := carttest.Texts["sushi/cities.yaml"]
	second := strings.Index(cities, "- {place: ankara")
	e.Import(t, map[string]string{
		"sushi/cities.yaml":  cities[second:] + cities[:second],
		"places/ankara.yaml": strings.Replace(carttest.Texts["places/ankara.yaml"], "Europe/Istanbul", "Asia/Novosibirsk", 1),
	})
	desk := e.browser(t)
	id, _ := e.browser(t).order()
	placed := dig(desk.ok("GET", "/api/operator/changes", nil, asOperator...), "changes").([]any)[0]
	if of := dig(desk.readOrder(id), "created_at"); dig(placed, "at") != of || !strings.HasSuffix(of.(string), "+03:00") {
		t.Errorf("the change is of %v, the order of %v", dig(placed, "at"), of)
	}
}

// A reader of the stream gets the changes so far, then each new change. A reader that comes back with the
// number of its last event gets the changes after it.
func TestOperatorStreamChanges_goesOnWhereTheReaderWas(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		guest, desk := e.browser(t), e.browser(t)
		id, _ := guest.order()
		stream, end := e.streamChanges(t, "")
		first := stream()
		if first.kind != "placed" {
			t.Errorf("the stream begins with %q", first.kind)
		}
		desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/take", id), object{}, asOperator...)
		if got := stream(); got.kind != "taken" {
			t.Errorf("then comes %q", got.kind)
		}
		end()
		desk.ok("POST", fmt.Sprintf("/api/operator/orders/%d/status", id), object{"status": "cooking"}, asOperator...)
		stream, end = e.streamChanges(t, first.number)
		defer end()
		for _, want := range []string{"taken", "moved"} {
			if got := stream(); got.kind != want {
				t.Errorf("after a break comes %q, want %q", got.kind, want)
			}
		}
	})
}

// streamed is an event of the stream of changes.
type streamed struct{ number, kind string }

// streamChanges opens the stream of changes after a number, which may be empty. It returns a function that
// reads the next event and one that closes the stream.
func (e *edge) streamChanges(t *testing.T, last string) (next func() streamed, end func()) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, e.http.URL+"/api/operator/changes/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set(asOperator[0], asOperator[1])
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	res, err := e.browser(t).client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		t.Fatalf("the stream is answered with %d", res.StatusCode)
	}
	lines := bufio.NewScanner(res.Body)
	next = func() streamed {
		t.Helper()
		var got streamed
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "id":
				got.number = value
			case "data":
				var change struct{ Kind string }
				if err := json.Unmarshal([]byte(value), &change); err != nil {
					t.Fatal(err)
				}
				got.kind = change.Kind
				return got
			}
		}
		t.Fatal("the stream has ended: ", lines.Err())
		return got
	}
	return next, func() { res.Body.Close() }
}

// till is a webhook that stores the last message it was sent.
type till struct{ last forward.Message }

// Name implements [forward.Sender].
func (*till) Name() string { return "till" }

// Send implements [forward.Sender].
func (t *till) Send(_ context.Context, m forward.Message) error {
	t.last = m
	return nil
}

func TestChangeWebhook_getsChangesAsTheyAreListed(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	desk := e.browser(t)
	state := desk.ok("GET", "/api/operator/changes/webhook?site=sushi", nil, asOperator...)
	desk.ok("POST", "/api/operator/orders", object{
		"key": "call", "cart": phoneCart(), "username": "Anna", "payment_type": "cash", "interval_id": "asap",
	}, asOperator...)
	if err := e.delivery.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	var posted map[string]any
	if err := json.Unmarshal(e.till.last.Body, &posted); err != nil {
		t.Fatal(err)
	}
	listed := desk.ok("GET", fmt.Sprintf("/api/operator/changes?site=sushi&after=%v", state["last"]), nil, asOperator...)
	if !reflect.DeepEqual(posted["changes"], listed["changes"]) || posted["last"] != listed["last"] {
		t.Errorf("posted %v, listed %v", posted, listed)
	}
	state = desk.ok("POST", "/api/operator/changes/webhook", object{"site": "sushi", "after": 0}, asOperator...)
	if state["last"] != 0.0 || state["failed_at"] != nil {
		t.Errorf("resumed from the first change: %v", state)
	}
	desk.refused(http.StatusNotFound, "", "GET", "/api/operator/changes/webhook?site=pizza", nil, asOperator...)
}
