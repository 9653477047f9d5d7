package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestEvents_endAtTheFirstBeatAfterALogout(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, d)
		beats := make(chan time.Time)
		e.server.SetBeats(beats)
		b := e.browser(t)
		b.signIn("79160000001")
		id, _ := b.order()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("%s/api/order/%d/events", e.http.URL, id), nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := b.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Fatalf("the stream is answered with %d", res.StatusCode)
		}
		send := func() {
			t.Helper()
			select {
			case beats <- e.Clock.Now():
			case <-time.After(10 * time.Second):
				t.Fatal("the stream takes no beat")
			}
		}
		text := bufio.NewReader(res.Body)
		readTo := func(want string) {
			t.Helper()
			for line := ""; line != want; {
				if line, err = text.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
		}
		readTo("event: status\n") // every stream begins with it
		send()
		readTo(": beat\n")
		b.ok("DELETE", "/api/user/logout", nil)
		send()
		if rest, err := io.ReadAll(text); err != nil || len(rest) > 2 {
			t.Errorf("after the logout came %q, %v", rest, err)
		}
	})
}
