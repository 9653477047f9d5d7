package report

import (
	"strings"
	"testing"
)

func TestScrub_removesWhatMayNameAPerson(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"phone":               {"no sender for +7 (916) 123-45-67", "no sender for [number]"},
		"phone of digits":     {"no sender for 79161234567: busy", "no sender for [number]: busy"},
		"German phone":        {"phone 0151 2345678 refused", "phone [number] refused"},
		"card":                {"card 4111 1111 1111 1111 declined", "card [number] declined"},
		"email":               {"mailbox of anna.schmidt+food@example.co.uk is full", "mailbox of [email] is full"},
		"name":                {"cannot greet Anna Schmidt", "cannot greet [word] [word]"},
		"name in capitals":    {"cannot greet ANNA", "cannot greet [word]"},
		"name of two letters": {"cannot greet Jo McDonald", "cannot greet [word] [word]"},
		"Russian name":        {"cannot greet Анна Шмидт", "cannot greet [text] [text]"},
		"Uzbek name":          {"cannot greet Oʻtkir", "cannot greet [text]"},
		"address":             {"no zone at Friedrichstrasse 12, Berlin", "no zone at [word] 12, [word]"},
		"Turkish address":     {"no zone at İstiklal Caddesi 5", "no zone at [text] [word] 5"},
		"point":               {"no zone at 55.755826, 37.617300", "no zone at [number], [number]"},
		"session":             {"token 3f9a7c52b1e84d06a5c3f9a7c52b1e84 unknown", "token [key] unknown"},
		"token of letters":    {"bad key abcdefghijklmnopqrstuvwxyzABCDEFGH", "bad key [key]"},
		"checkout key":        {"no cache 0190b6f4-1c2d-7e3f-8a9b-0c1d2e3f4a5b", "no cache [key]"},
		"address of network":  {"refused 203.0.113.7", "refused [ip]"},
		"IPv6":                {"refused 2001:db8:85a3::8a2e:370:7334", "refused [ip]"},
		"query":               {"GET /moscow?name=anna&t=1 failed", "GET /moscow[query] failed"},
		"quoted":              {`Post "https://sms.example.com/?api_id=1": EOF`, `Post [text]: EOF`},
		"quoted by engines":   {"Unexpected token 'anna' in JSON", "Unexpected token [text] in JSON"},
		"of a database":       {`duplicate key: (phone)=(79161234567)`, `duplicate key: (phone)=([number])`},
		"property of code":    {"Cannot read properties of undefined (reading 'total')", "Cannot read properties of undefined (reading total)"},
		"quoted as property":  {"Cannot read properties of undefined (reading 'Anna Schmidt')", "Cannot read properties of undefined (reading [text])"},
		"code":                {"TypeError: e.Cart.map is not a function", "TypeError: e.Cart.map is not a function"},
		"apostrophe":          {"can't load what isn't there", "can't load what isn't there"},
		"error of Go":         {"commit: pq: SQLSTATE 40001: context deadline exceeded", "commit: pq: SQLSTATE 40001: context deadline exceeded"},
	} {
		if got := scrub(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestScrub_boundsTheText(t *testing.T) {
	t.Parallel()
	if got := scrub(strings.Repeat("é", maxText)); len(got) > maxText {
		t.Errorf("%d bytes", len(got))
	}
}
