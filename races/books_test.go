package races_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// callJSON makes a call to the first server with the operator's token. The call must succeed. It decodes the answer
// into answer unless that is nil.
func (h *house) callJSON(t *testing.T, method, path string, body, answer any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, h.servers[0].url+"/api"+path, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+operatorToken)
	response, err := browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var got bytes.Buffer
	if _, err := got.ReadFrom(response.Body); err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", path, response.StatusCode, got.String())
	}
	if answer != nil {
		if err := json.Unmarshal(got.Bytes(), answer); err != nil {
			t.Fatal(err)
		}
	}
}

// tokenOf returns the secret of a sign-in link: the text after the #, or after the = that follows.
func tokenOf(link string) string {
	_, token, _ := strings.Cut(link, "#")
	if _, value, named := strings.Cut(token, "="); named {
		return value
	}
	return token
}

// number runs a query that selects one number, and returns the number.
func (h *house) number(t *testing.T, query string, args ...any) int64 {
	t.Helper()
	var n int64
	if err := h.db.Writer().QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// texts returns the rows of a query as texts, their columns separated by spaces.
func (h *house) texts(t *testing.T, query string, args ...any) []string {
	t.Helper()
	rows, err := h.db.Writer().QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for rows.Next() {
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		var line []string
		for _, v := range values {
			line = append(line, fmt.Sprintf("%v", *v.(*any)))
		}
		texts = append(texts, strings.Join(line, " "))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}

// checkRound checks that the limited stock of the round is used up exactly: each code, the gift and one interval.
func (h *house) checkRound(t *testing.T, round int) {
	t.Helper()
	used := func(kind string, id int64) int64 {
		return h.number(t, `SELECT COALESCE(SUM(used), 0) - COALESCE((SELECT SUM(s.max_used - s.used) FROM stock_share s
			WHERE s.kind = $1 AND s.thing_id = $2), 0) FROM stock_count WHERE kind = $1 AND thing_id = $2`, kind, id)
	}
	for _, limit := range limits {
		code := codeOf(round, limit)
		orders := h.number(t, "SELECT COUNT(*) FROM orders WHERE promocode = $1 AND state <> 'canceled'", code)
		if counted := used("promocode", codeID(round, limit)); counted != int64(limit) || orders != int64(limit) {
			t.Errorf("round %d: code %s: %d uses counted, %d orders with it, of %d", round, code, counted, orders, limit)
		}
	}
	if counted, gifts := used("gift", giftOf(round)), h.giftsOf(t, giftOf(round)); counted != giftStock || gifts != giftStock {
		t.Errorf("round %d: %d gifts counted, %d in orders, of %d", round, counted, gifts, giftStock)
	}
	full := h.number(t, "SELECT COUNT(*) FROM slot WHERE shop_id = $1 AND product_group_id = 0 AND used_minutes = $2", narrow.shop, narrowWork)
	if full != int64(round) {
		t.Errorf("round %d: %d intervals are full, want one each round", round, full)
	}
}

// giftsOf returns how many pieces of a gift the orders have that are not canceled.
func (h *house) giftsOf(t *testing.T, id int64) int {
	t.Helper()
	rows, err := h.db.Writer().QueryContext(t.Context(), "SELECT details FROM orders WHERE state <> 'canceled'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	count := 0
	for rows.Next() {
		var body []byte
		var details struct {
			Gifts []struct {
				ID    int64
				Count int
			}
		}
		if err := rows.Scan(&body); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(body, &details); err != nil {
			t.Fatal(err)
		}
		for _, g := range details.Gifts {
			if g.ID == id {
				count += g.Count
			}
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return count
}

// checkBooks checks the books of all rounds so far. Each counter must equal the sum that orders hold, only orders
// that are not canceled may hold anything, and bonuses must be neither lost nor made.
func (h *house) checkBooks(t *testing.T, round int) {
	t.Helper()
	standing := map[string]bool{}
	for _, id := range h.texts(t, "SELECT id FROM orders WHERE state <> 'canceled'") {
		standing["order:"+id] = true
	}
	h.checkStock(t, round, standing)
	h.checkSlots(t, round, standing)
	for name, query := range map[string]string{
		"postings that do not sum to zero": "SELECT posting_id FROM bonus_entry GROUP BY posting_id HAVING SUM(amount) <> 0",
		"accounts below zero":              "SELECT account_id FROM bonus_entry e JOIN bonus_account a ON a.id = e.account_id WHERE a.kind = 'customer' GROUP BY account_id HAVING SUM(amount) < 0",
		"balances that are not the sum":    "SELECT a.id, a.balance FROM bonus_account a JOIN bonus_entry e ON e.account_id = a.id WHERE a.kind = 'customer' GROUP BY a.id, a.balance HAVING SUM(e.amount) <> a.balance",
		"bonuses still held":               "SELECT a.id FROM bonus_account a JOIN bonus_entry e ON e.account_id = a.id WHERE a.kind = 'held' GROUP BY a.id HAVING SUM(e.amount) <> 0",
	} {
		if wrong := h.texts(t, query); len(wrong) > 0 {
			t.Errorf("round %d: %s: %v", round, name, wrong)
		}
	}
	spent := h.number(t, "SELECT COALESCE(SUM(bonuses), 0) FROM orders WHERE state <> 'canceled'")
	balance := h.number(t, "SELECT COALESCE(SUM(balance), 0) FROM bonus_account WHERE kind = 'customer'")
	if spent+balance != int64(round)*given || spent == 0 {
		t.Errorf("round %d: %d bonuses given, %d spent and %d left", round, int64(round)*given, spent, balance)
	}
}

// checkStock checks that each counter of stock equals the pieces held, and that every holder is in standing, the set
// of orders that are not canceled.
func (h *house) checkStock(t *testing.T, round int, standing map[string]bool) {
	t.Helper()
	held := map[string]int{}
	for _, row := range h.texts(t, "SELECT holder, COALESCE(CAST(expires_at AS text), '-') FROM stock_hold") {
		holder, until, _ := strings.Cut(row, " ")
		if !standing[holder] || until != "-" {
			t.Errorf("round %d: stock is stuck: %s until %s", round, holder, until)
		}
	}
	for _, text := range h.texts(t, "SELECT things FROM stock_hold") {
		var things []struct {
			Kind  string
			ID    int64
			Scope string
			Count int
		}
		if err := json.Unmarshal([]byte(text), &things); err != nil {
			t.Fatal(err)
		}
		for _, thing := range things {
			held[fmt.Sprintf("%s %d %s", thing.Kind, thing.ID, thing.Scope)] += thing.Count
		}
	}
	const counted = `SELECT u.used, u.kind, u.thing_id, u.scope FROM (
			SELECT c.used - COALESCE((SELECT SUM(s.max_used - s.used) FROM stock_share s
				WHERE s.site = c.site AND s.kind = c.kind AND s.thing_id = c.thing_id AND c.scope = ''), 0) AS used, c.kind, c.thing_id, c.scope
			FROM stock_count c) u WHERE u.used <> 0`
	for _, row := range h.texts(t, counted) {
		used, thing, _ := strings.Cut(row, " ")
		if strconv.Itoa(held[thing]) != used {
			t.Errorf("round %d: %s of %s are counted, %d are held", round, used, thing, held[thing])
		}
		delete(held, thing)
	}
	if len(held) > 0 {
		t.Errorf("round %d: held and not counted: %v", round, held)
	}
}

// checkSlots checks that the used minutes of each interval equal what is held, and that every holder is in standing,
// the set of orders that are not canceled.
func (h *house) checkSlots(t *testing.T, round int, standing map[string]bool) {
	t.Helper()
	for _, holder := range h.texts(t, "SELECT holder FROM slot_hold") {
		if !standing[holder] {
			t.Errorf("round %d: an interval is stuck: %s", round, holder)
		}
	}
	wrong := h.texts(t, `SELECT s.shop_id, s.starts_at, s.used_minutes, s.holds FROM slot s WHERE s.product_group_id = 0 AND (s.holds <> (
		SELECT COUNT(*) FROM slot_hold h WHERE h.shop_id = s.shop_id AND h.order_type = s.order_type AND h.starts_at = s.starts_at)
		OR s.used_minutes <> s.holds * $1)`, dishWork)
	if len(wrong) > 0 {
		t.Errorf("round %d: intervals that are not what is held of them: %v", round, wrong)
	}
}

// checkOrders checks that each confirmed order is confirmed once, and that the database has as many orders. It sorts
// confirmed.
func (h *house) checkOrders(t *testing.T, confirmed []int64) {
	t.Helper()
	slices.Sort(confirmed)
	if unique := slices.Compact(slices.Clone(confirmed)); len(unique) != len(confirmed) {
		t.Errorf("%d orders were confirmed, of which %d are different", len(confirmed), len(unique))
	}
	if orders := h.number(t, "SELECT COUNT(*) FROM orders"); orders != int64(len(confirmed)) {
		t.Errorf("%d orders are there, %d were confirmed", orders, len(confirmed))
	}
}
