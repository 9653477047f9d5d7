package races_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// party is a caller of an evening: a customer with a browser, or staff. When the server is killed during a call, the
// party starts the server again and repeats the call.
type party struct {
	evening *evening
	client  *http.Client
	isStaff bool
	phone   string
}

// newParty returns a customer with the phone, or staff when the phone is empty.
func (v *evening) newParty(t *testing.T, phone string) *party {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &party{evening: v, client: &http.Client{Jar: jar, Timeout: 20 * time.Second}, isStaff: phone == "", phone: phone}
}

// dig returns the value at the path of a decoded JSON object, nil when there is none.
func dig(v any, path ...string) any {
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

// idAt returns the number at the path of a decoded JSON object, 0 when there is none.
func idAt(v any, path ...string) int64 {
	n, _ := dig(v, path...).(float64)
	return int64(n)
}

// listAt returns the list at the path of a decoded JSON object, nil when there is none.
func listAt(v any, path ...string) []any {
	list, _ := dig(v, path...).([]any)
	return list
}

// call makes a call, counts it, and returns the status and the decoded answer. After a call without an answer it
// starts the server again and repeats the call under the same key, ten times at most.
func (p *party) call(t *testing.T, method, path string, body object) (int, map[string]any) {
	t.Helper()
	p.evening.calls++
	key := fmt.Sprintf("evening-%016x", p.evening.dice.Uint64())
	for range 10 {
		status, text, err := p.send(t, method, path, key, body)
		if err != nil {
			p.evening.restart(t)
			continue
		}
		var answer map[string]any
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatalf("%s %s: %d %s", method, path, status, text)
		}
		return status, answer
	}
	t.Fatalf("%s %s is never answered", method, path)
	return 0, nil
}

// send makes a call once and returns the status and the text of the answer. A nil body sends none.
func (p *party) send(t *testing.T, method, path, key string, body object) (int, []byte, error) {
	t.Helper()
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, p.evening.server.url+"/api"+path, content)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Language", "en")
	if p.isStaff {
		r.Header.Set("Authorization", "Bearer "+operatorToken)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", key)
	}
	response, err := p.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, text, err
}

// mustCall makes a call that must succeed and returns its answer.
func (p *party) mustCall(t *testing.T, method, path string, body object) map[string]any {
	t.Helper()
	status, answer := p.call(t, method, path, body)
	if status != http.StatusOK {
		t.Fatalf("%s %s: %d %v", method, path, status, answer)
	}
	return answer
}

// mustBeRefused makes a call that must be refused with a message or field error that contains the text.
func (p *party) mustBeRefused(t *testing.T, text, method, path string, body object) {
	t.Helper()
	status, answer := p.call(t, method, path, body)
	if status != http.StatusConflict && status != http.StatusUnprocessableEntity {
		t.Fatalf("%s %s: %d %v, want a refusal", method, path, status, answer)
	}
	if message := fmt.Sprint(answer["message"], answer["errors"]); !strings.Contains(message, text) {
		t.Errorf("%s is refused with %q, want %q", path, message, text)
	}
}

// callTwice makes a call of staff twice and checks that both answers are equal, but for what the payment of the order
// has done between them. In some turns it kills the server during the first call, in others between the two.
func (v *evening) callTwice(t *testing.T, path string, body object) map[string]any {
	t.Helper()
	v.turn++
	if v.turn%13 == 4 {
		v.killSoon()
	}
	first := v.desk.mustCall(t, http.MethodPost, "/operator"+path, body)
	if v.turn%13 == 10 {
		v.kill(t)
	}
	second := v.desk.mustCall(t, http.MethodPost, "/operator"+path, body)
	if !reflect.DeepEqual(withoutPayment(first), withoutPayment(second)) {
		t.Errorf("%s answers %v, and the second time %v", path, first, second)
	}
	return second
}

// withoutPayment returns an answer without what a job of the order's payment, such as a refund, changes by itself: its
// entries of the history, the number of the last change, and how the payment stands.
func withoutPayment(answer map[string]any) map[string]any {
	order, isOrder := answer["order"].(map[string]any)
	if !isOrder {
		return answer
	}
	order = maps.Clone(order)
	delete(order, "change")
	delete(order, "payment")
	history, _ := order["history"].([]any)
	order["history"] = slices.DeleteFunc(slices.Clone(history), func(entry any) bool {
		change, _ := entry.(map[string]any)
		return change["actor"] == "payment"
	})
	answer = maps.Clone(answer)
	answer["order"] = order
	return answer
}

// changeOrder makes the call of staff /orders/{id}/{change} twice.
func (v *evening) changeOrder(t *testing.T, id int64, change string, body object) map[string]any {
	t.Helper()
	return v.callTwice(t, fmt.Sprintf("/orders/%d/%s", id, change), body)
}

// move sets the status of orders as the kitchen does.
func (v *evening) move(t *testing.T, status string, ids ...int64) {
	t.Helper()
	for _, id := range ids {
		v.changeOrder(t, id, "status", object{"status": status, "actor": "kitchen"})
	}
}

// finish moves accepted orders to done, step by step, and records the messages that each customer must have got.
func (v *evening) finish(t *testing.T, ids ...int64) {
	t.Helper()
	v.move(t, "cooking", ids...)
	v.move(t, "sent", ids...)
	v.settle(t)
	v.move(t, "done", ids...)
	for _, id := range ids {
		v.want(id, "done", "", "accepted", "sent")
	}
}
