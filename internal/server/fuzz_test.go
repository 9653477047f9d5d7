package server_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/order/audittest"
)

const (
	// fuzzVariable is how many calls are made on each engine; each run begins with another
	// seed then, unless fuzzSeedVariable has one.
	fuzzVariable     = "SERVERY_FUZZ"
	fuzzSeedVariable = "SERVERY_FUZZ_SEED"
)

// Whatever is sent to any call, there is no internal error and no answer outside of the contract. No field is
// read under another name, nothing of another customer is shown, and the books stay right.
func TestFuzz_noCallIsAnsweredOutsideTheContract(t *testing.T) {
	t.Parallel()
	calls, seed := 800, uint64(1)
	if text := os.Getenv(fuzzVariable); text != "" {
		var err error
		if calls, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		seed = rand.Uint64()
	}
	if text := os.Getenv(fuzzSeedVariable); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		t.Logf("%s=%d %s=%d", fuzzVariable, calls, fuzzSeedVariable, seed)
		f := &fuzzer{world: newWorld(t, d), dice: rand.New(rand.NewPCG(seed, 0))}
		rows := slices.DeleteFunc(rightsTable(f.belongings, callersPhone), func(r row) bool {
			return !strings.Contains(r.route, " /api/") || strings.HasSuffix(r.route, "/events")
		})
		before := breaches(t, d)
		for range calls {
			f.edge.Clock.Advance(time.Second)
			f.call(rows[f.dice.IntN(len(rows))])
			if t.Failed() {
				return // what follows from it is no news
			}
		}
		if log := f.edge.log.String(); strings.Contains(log, "level=ERROR") {
			_, first, _ := strings.Cut(log, "level=ERROR")
			first, _, _ = strings.Cut(first, "\n")
			t.Errorf("an error is logged: %s", first)
		}
		for _, breach := range breaches(t, d) {
			if !slices.Contains(before, breach) {
				t.Errorf("audit: %s", breach)
			}
		}
	})
}

// breaches returns what is not right in the books. The world begins with some breaches: one of its orders
// is only marked as paid.
func breaches(t *testing.T, d *db.DB) []string {
	t.Helper()
	found, err := audittest.Breaches(t.Context(), d, audittest.Books{})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// fuzzer makes calls that no page makes.
type fuzzer struct {
	*world

	dice *rand.Rand
}

// call makes the row's call, spoiled in some way, as somebody.
func (f *fuzzer) call(r row) {
	f.t.Helper()
	who := []caller{nobody, guest, other, ended, theOwner}[f.dice.IntN(5)]
	b := f.callers[who]
	if who == theOwner {
		b = f.owner
	}
	if r.ends {
		who, b = nobody, f.edge.browser(f.t)
	}
	var header []string
	isOperator := strings.Contains(r.route, "/api/operator/") && f.dice.IntN(2) == 0
	if isOperator {
		header = append(header, asOperator...)
	}
	if f.dice.IntN(2) == 0 {
		header = append(header, "Idempotency-Key", f.oneOf("fuzz-"+strconv.Itoa(f.dice.IntN(1e9)), "fuzz-fuzz-fuzz-fuzz", "short", strings.Repeat("k", 300)))
	}
	if f.dice.IntN(10) == 0 {
		header = append(header, f.oneOf("Accept-Language", "Content-Type", "Cookie", "Accept-Encoding", "If-None-Match", "X-Forwarded-For"),
			f.oneOf("", "*", "xx-YY;q=9", "text/plain", "session=", "session=%00", strings.Repeat("a,", 500), "\"", "1.2.3.4:567, ::1"))
	}
	body, misspelled := f.spoilBody(r.body)
	target := f.spoilTarget(r)
	a := b.call(r.method(), target, body, header...)
	shown := fmt.Sprintf("%s %s as %s: %d %.300s\nbody: %.600q", r.method(), shorten(target), who, a.status, a.text, fmt.Sprint(body))
	if a.status >= http.StatusInternalServerError && a.status != http.StatusServiceUnavailable {
		f.t.Errorf("a fault of ours: %s", shown)
	}
	if misspelled != "" && a.status < http.StatusBadRequest {
		f.t.Errorf("a field is taken under the name %s: %s", misspelled, shown)
	}
	if who == theOwner || isOperator {
		return
	}
	for name, secret := range f.secrets {
		if name == "present" {
			continue // the gift's name stands in the content, and is said to who names its id
		}
		if secret.MatchString(a.text) && !strings.Contains(fmt.Sprint(body)+target, secret.FindString(a.text)) {
			f.t.Errorf("it shows the owner's %s: %s", name, shown)
		}
	}
}

// spoilTarget returns the row's address, in one of five cases with another value in path or query.
func (f *fuzzer) spoilTarget(r row) string {
	target := r.target()
	if f.dice.IntN(5) > 0 {
		return target
	}
	hostile := hostileValues[f.dice.IntN(len(hostileValues))]
	path, query, _ := strings.Cut(target, "?")
	switch f.dice.IntN(3) {
	case 0:
		if at := strings.LastIndex(path, "/"); strings.Contains(r.route, "{") {
			path = path[:at+1] + hostile
		}
	case 1:
		query += "&" + f.oneOf("city_id", "id", "shop_id", "order_type", "X") + "=" + hostile
	default:
		query = strings.ToUpper(query)
	}
	return strings.TrimSuffix(path+"?"+strings.TrimPrefix(query, "&"), "?")
}

// spoilBody returns a spoiled copy of the row's body. misspelled is the name of a field that the copy also
// has in other letters; empty for none.
func (f *fuzzer) spoilBody(body any) (spoiled any, misspelled string) {
	if body == nil {
		if f.dice.IntN(4) > 0 {
			return nil, ""
		}
		return f.oneOf("", "null", "{}", "[]", "\x00", "{"), ""
	}
	text, err := json.Marshal(body)
	if err != nil {
		f.t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		f.t.Fatal(err)
	}
	switch f.dice.IntN(8) {
	case 0:
		return string(text), ""
	case 1, 2:
		if misspelled = f.misspell(value); misspelled != "" {
			return f.encode(value), misspelled
		}
	case 3:
		return f.spoilBytes(text), ""
	}
	for range 1 + f.dice.IntN(3) {
		value = f.spoil(value)
	}
	return f.encode(value), ""
}

// encode returns the value as JSON.
func (f *fuzzer) encode(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		f.t.Fatal(err)
	}
	return string(text)
}

// misspell adds a field of the object, or of an object in it, once more in other letters. It returns the
// added name, or "" when it has added none.
func (f *fuzzer) misspell(value any) string {
	o, ok := value.(map[string]any)
	if !ok || len(o) == 0 {
		return ""
	}
	names := slices.Sorted(maps.Keys(o))
	name := names[f.dice.IntN(len(names))]
	if f.dice.IntN(3) == 0 {
		if inside := f.misspell(o[name]); inside != "" {
			return inside
		}
	}
	letters := []rune(name)
	at := f.dice.IntN(len(letters))
	other := unicode.ToUpper(letters[at])
	if letters[at] == 's' && f.dice.IntN(2) == 0 {
		other = 'ſ' // equal to s when case is ignored
	}
	if letters[at] == 'k' && f.dice.IntN(2) == 0 {
		other = '\u212A' // the sign of Kelvin, equal to k when case is ignored
	}
	if other == letters[at] {
		return ""
	}
	letters[at] = other
	o[string(letters)] = o[name]
	if f.dice.IntN(2) == 0 {
		o[string(letters)] = f.hostileValue()
	}
	return string(letters)
}

// spoil returns the value with something in it replaced, left out, added or repeated.
func (f *fuzzer) spoil(value any) any {
	switch v := value.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		if len(names) == 0 || f.dice.IntN(8) == 0 {
			v[f.oneOf("x", "", "__proto__", "id", "\x00", strings.Repeat("n", 3000))] = f.hostileValue()
			return v
		}
		name := names[f.dice.IntN(len(names))]
		switch f.dice.IntN(4) {
		case 0:
			delete(v, name)
		case 1:
			v[name] = f.hostileValue()
		default:
			v[name] = f.spoil(v[name])
		}
		return v
	case []any:
		if len(v) > 0 && f.dice.IntN(2) == 0 {
			at := f.dice.IntN(len(v))
			v[at] = f.spoil(v[at])
			return v
		}
		return append(v, slices.Repeat([]any{f.hostileValue()}, f.dice.IntN(300))...)
	case float64:
		return []any{-v, v + 1, 1e9, v + 0.5, strconv.FormatFloat(v, 'f', -1, 64), f.hostileValue()}[f.dice.IntN(6)]
	case string:
		return []any{v + " ", strings.ToUpper(v), v + "\x00", v + "\u202e", strings.Repeat(v, 50), f.hostileValue()}[f.dice.IntN(6)]
	}
	return f.hostileValue()
}

// hostileValue returns a value that hardly any field allows.
func (f *fuzzer) hostileValue() any {
	deep := any(1)
	for range f.dice.IntN(200) {
		deep = []any{deep}
	}
	values := []any{
		nil, true, "", " ", "0", "-1", -1, 0, 1, 0.1, 1e308, -1e308, int64(1) << 53, 1<<63 - 1,
		[]any{},
		map[string]any{},
		deep,
		"\x00", "a\x00b", "\ufeff", "\ufffd", "<script>alert(1)</script>", "' OR 1=1 --", "../../etc/passwd", "%00", "\r\nSet-Cookie: a=b",
		"👩‍👩‍👧‍👦", "اَلْعَرَبِيَّةُ", strings.Repeat("я", 400), strings.Repeat("a", 30_000), "2026-13-45T99:99", "NaN", "1e400",
	}
	return values[f.dice.IntN(len(values))]
}

// spoilBytes returns the text with some of its bytes changed, lost or repeated.
func (f *fuzzer) spoilBytes(text []byte) string {
	text = slices.Clone(text)
	for range 1 + f.dice.IntN(4) {
		at := f.dice.IntN(len(text) + 1)
		switch f.dice.IntN(5) {
		case 0:
			text = text[:at]
		case 1:
			text = slices.Insert(text, at, []byte(f.oneOf("\x00", "\xff", "\"", "{", "}", "[", ",", "\\u0000", "\\ud800", "\ufeff", "1e999999"))...)
		case 2:
			if at < len(text) {
				text[at] ^= byte(1 << f.dice.IntN(8))
			}
		case 3:
			text = append(text, text[at:]...)
		default:
			text = append([]byte(strings.Repeat("[", f.dice.IntN(5000))), text...)
		}
	}
	return string(text)
}

// oneOf returns one of the texts.
func (f *fuzzer) oneOf(texts ...string) string { return texts[f.dice.IntN(len(texts))] }
