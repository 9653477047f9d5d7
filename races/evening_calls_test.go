package races_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"reflect"
	"strings"
	"testing"
	"time"
)

// party is who makes calls in an evening: a customer with a browser, or staff. A call that the killed server
// did not answer is sent again to the one that takes its place.
type party struct {
	evening *evening
	client  *http.Client
	isStaff bool
	phone   string
}

// newParty returns staff, or a customer when there is a phone.
func (v *evening) newParty(t *testing.T, phone string) *party {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &party{evening: v, client: &http.Client{Jar: jar, Timeout: 20 * time.Second}, isStaff: phone == "", phone: phone}
}

// dig returns what stands at the path of a decoded JSON object, nil for nothing.
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

// idAt returns the number that stands at the path.
func idAt(v any, path ...string) int64 {
	n, _ := dig(v, path...).(float64)
	return int64(n)
}

// listAt returns the list that stands at the path.
func listAt(v any, path ...string) []any {
	list, _ := dig(v, path...).([]any)
	return list
}

// call makes a call until it is answered, and returns status and answer.
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

// send sends a call once.
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

// ok makes a call that must succeed and returns its answer.
func (p *party) ok(t *testing.T, method, path string, body object) map[string]any {
	t.Helper()
	status, answer := p.call(t, method, path, body)
	if status != http.StatusOK {
		t.Fatalf("%s %s: %d %v", method, path, status, answer)
	}
	return answer
}

// mustRead makes a call that must be refused with the text.
func (p *party) mustRead(t *testing.T, text, method, path string, body object) {
	t.Helper()
	status, answer := p.call(t, method, path, body)
	if status != http.StatusConflict && status != http.StatusUnprocessableEntity {
		t.Fatalf("%s %s: %d %v, want a refusal", method, path, status, answer)
	}
	if message := fmt.Sprint(answer["message"], answer["errors"]); !strings.Contains(message, text) {
		t.Errorf("%s is refused with %q, want %q", path, message, text)
	}
}

// do makes a call of staff twice: the second must answer as the first. Of some the server is killed while
// the first is under way, of others between the two.
func (v *evening) do(t *testing.T, path string, body object) map[string]any {
	t.Helper()
	v.turn++
	if v.turn%13 == 4 {
		v.killSoon()
	}
	first := v.desk.ok(t, http.MethodPost, "/operator"+path, body)
	if v.turn%13 == 10 {
		v.kill(t)
	}
	second := v.desk.ok(t, http.MethodPost, "/operator"+path, body)
	if !reflect.DeepEqual(first, second) {
		t.Errorf("%s answers %v, and the second time %v", path, first, second)
	}
	return second
}

// doOn makes a call about an order twice.
func (v *evening) doOn(t *testing.T, id int64, what string, body object) map[string]any {
	t.Helper()
	return v.do(t, fmt.Sprintf("/orders/%d/%s", id, what), body)
}

// move moves orders to the status.
func (v *evening) move(t *testing.T, status string, ids ...int64) {
	t.Helper()
	for _, id := range ids {
		v.doOn(t, id, "status", object{"status": status, "actor": "kitchen"})
	}
}

// finish brings accepted orders to their customers.
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
