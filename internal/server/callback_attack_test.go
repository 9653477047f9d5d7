package server_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/paytest/clients"
	"servery/internal/acquiring/yookassa"
	ykdouble "servery/internal/acquiring/yookassa/double"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// attackedEdge is an edge that is paid through a real client, whose callbacks somebody forges.
type attackedEdge struct {
	*edge

	client clients.Client
	bank   *double.Bank
	buyer  *browser
	place  object
	host   string
}

// The host of a brand that sells in a currency, and a dish, a place and a phone for an order there.
var (
	attackedHosts  = map[string]string{"RUB": "localhost", "TRY": "localhost", "EUR": "pizza.localhost"}
	attackedDishes = map[string]string{"RUB": "1-1002", "TRY": "2-1002", "EUR": "3-5001"}
	attackedPlaces = map[string]object{
		"RUB": {"city_id": carttest.Moscow, "order_type": "takeaway", "shop_id": carttest.Arbat},
		"TRY": {"city_id": carttest.Ankara, "order_type": "takeaway", "shop_id": carttest.Kizilay},
		"EUR": {"city_id": 3, "order_type": "takeaway", "shop_id": 31},
	}
	attackedPhones = map[string]string{"RUB": "+79161234567", "TRY": "+905321234567", "EUR": "+4930112345678"}
)

// newAttackedEdge returns a server whose payments go to a bank of the client, and one of whose brands has
// an account of the same name at another bank.
func newAttackedEdge(t *testing.T, d *db.DB, c clients.Client) *attackedEdge {
	t.Helper()
	b := &attackedEdge{client: c, host: attackedHosts[c.Currency], place: attackedPlaces[c.Currency]}
	b.edge = newPayingEdge(t, d, func(now *clock.Fake) acquiring.Accounts {
		b.bank = c.Bank(now)
		server := httptest.NewServer(c.Serve(b.bank))
		t.Cleanup(server.Close)
		acquirer, err := c.Make(server.URL, now)
		if err != nil {
			t.Fatal(err)
		}
		// Both brands have an account of that name; only one of them is this bank's customer.
		stranger := httptest.NewServer(c.Serve(c.Bank(now)))
		t.Cleanup(stranger.Close)
		other, err := c.Make(stranger.URL, now)
		if err != nil {
			t.Fatal(err)
		}
		accounts := acquiring.Accounts{"sushi": {carttest.Account: other}, "pizza": {carttest.Account: other}}
		brand := map[string]string{"localhost": "sushi", "pizza.localhost": "pizza"}[b.host]
		accounts[brand][carttest.Account] = acquirer
		return accounts
	})
	b.Import(t, carttest.Online(carttest.BankPage))
	b.buyer = b.browser(t)
	b.buyer.header.Set("Host", b.host)
	return b
}

// withStranger returns the same edge with another buyer.
func (b *attackedEdge) withStranger(t *testing.T) *attackedEdge {
	t.Helper()
	other := *b
	other.buyer = b.browser(t)
	other.buyer.header.Set("Host", b.host)
	return &other
}

// placeOrder places an order of so many dishes and begins to pay it. It returns the number of the order,
// the key of its checkout and the id of its payment.
func (b *attackedEdge) placeOrder(t *testing.T, count int, w clients.Way) (number int64, key string, id acquiring.ID) {
	t.Helper()
	atPlace := func(more object) object {
		for name, value := range b.place {
			more[name] = value
		}
		return more
	}
	b.buyer.ok("PUT", "/api/cart/add", atPlace(object{"product_key": attackedDishes[b.client.Currency], "count": count}))
	cart := b.buyer.ok("PUT", "/api/cart", atPlace(object{}))
	key, _ = b.buyer.ok("POST", "/api/order/create-order-cache", atPlace(object{}))["order_cache_key"].(string)
	paymentType := w.Method.String()
	created := b.buyer.ok("POST", "/api/order/create", atPlace(object{
		"order_cache_key": key, "phone": attackedPhones[b.client.Currency], "username": "Anna", "email": "buyer@example.com",
		"payment_type": paymentType, "interval_id": "asap", "cart": object{"prices": object{"total": dig(cart, "cart", "prices", "total")}},
	}))
	number = int64(created["order_id"].(float64))
	b.buyer.ok("POST", "/api/order/pay", object{"order_id": number, "payment_type": paymentType, "email": "buyer@example.com"})
	var text string
	if err := b.DB.Writer().QueryRowContext(t.Context(), "SELECT id FROM payment WHERE order_id = $1", number).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return number, key, acquiring.ID(text)
}

// sendCallback sends a callback to a host, with more headers as pairs of name and value, and returns the
// status. It repeats a call that is refused as one too many.
func (b *attackedEdge) sendCallback(t *testing.T, host string, c acquiring.Callback, header ...string) int {
	t.Helper()
	address := b.http.URL + "/api/callback/" + carttest.Account
	if c.Query != "" {
		address += "?" + c.Query
	}
	r, err := http.NewRequestWithContext(t.Context(), c.Method, address, strings.NewReader(string(c.Body)))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range c.Header {
		r.Header[name] = values
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	r.Host = host
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode == http.StatusTooManyRequests { // an attacker would wait
		b.Clock.Advance(time.Second)
		return b.sendCallback(t, host, c, header...)
	}
	return answer.StatusCode
}

// readState returns everything about orders and money that a callback might change.
func (b *attackedEdge) readState(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, query := range []string{
		"SELECT id, state || ' ' || paid_by FROM orders ORDER BY id",
		"SELECT id, order_id || ' ' || state FROM order_status ORDER BY id",
		"SELECT id, order_id || ' ' || state || ' ' || ref || ' ' || amount || ' ' || currency || ' ' || refunded || ' ' || reason FROM payment ORDER BY id",
		"SELECT key, payment_id FROM payment_event ORDER BY payment_id, key",
		"SELECT id, payment_id || ' ' || state || ' ' || amount FROM refund ORDER BY id",
	} {
		rows, err := b.DB.Writer().QueryContext(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var name, text string
			if err := rows.Scan(&name, &text); err != nil {
				t.Fatal(err)
			}
			all.WriteString(name + " " + text + "\n")
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		rows.Close()
	}
	for _, p := range b.bank.PaymentsOf("") {
		fmt.Fprintf(&all, "bank %s %d %d\n", p.Ref, p.State, p.Refunded())
	}
	return all.String()
}

// expectUnchanged calls do and fails the test when that changes the state.
func (b *attackedEdge) expectUnchanged(t *testing.T, name string, do func()) {
	t.Helper()
	before := b.readState(t)
	do()
	if after := b.readState(t); after != before {
		t.Errorf("%s changed\n%sinto\n%s", name, before, after)
	}
}

// breakCallback returns callbacks that anybody can make of a genuine one without the acquirer's secret, by
// name.
func breakCallback(c acquiring.Callback) map[string]acquiring.Callback {
	half := func(text string) string { return text[:len(text)/2] }
	bare := acquiring.Callback{Method: c.Method, Body: c.Body, Query: c.Query}
	empty, short := bare, bare
	empty.Header, short.Header = http.Header{}, http.Header{}
	for name, values := range c.Header {
		switch name {
		case "Content-Type":
			empty.Header[name], short.Header[name] = values, values
		default:
			empty.Header.Set(name, "")
			short.Header.Set(name, half(values[0]))
		}
	}
	all := map[string]acquiring.Callback{
		"nothing at all":    {Method: c.Method},
		"half of the body":  {Method: c.Method, Header: c.Header, Body: c.Body[:len(c.Body)/2], Query: half(c.Query)},
		"not even readable": {Method: http.MethodPost, Header: c.Header, Body: []byte("{\"id\": \x00\xff")},
	}
	if !strings.Contains(string(c.Body)+c.Query, "checksum=") { // it is signed in a header, if at all
		all["no headers"], all["empty signature"], all["half a signature"] = bare, empty, short
	}
	// Some acquirers sign in a field of the body or the query.
	for text, set := range map[string]func(acquiring.Callback, string) acquiring.Callback{
		string(c.Body): func(c acquiring.Callback, to string) acquiring.Callback { c.Body = []byte(to); return c },
		c.Query:        func(c acquiring.Callback, to string) acquiring.Callback { c.Query = to; return c },
	} {
		v, err := url.ParseQuery(text)
		if err != nil || v.Get("checksum") == "" {
			continue
		}
		sum := v.Get("checksum")
		for name, value := range map[string]string{"empty checksum": "", "half a checksum": half(sum), "another checksum": strings.Repeat("0", len(sum))} {
			v.Set("checksum", value)
			all[name] = set(c, v.Encode())
		}
		v.Del("checksum")
		all["no checksum"] = set(c, v.Encode())
	}
	return all
}

// isSigned reports whether the acquirer signs what it sends.
func (b *attackedEdge) isSigned() bool { return b.client.Signed != nil }

func TestCallback_isRefusedWhenForged(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, c := range clients.ListClients() {
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				b := newAttackedEdge(t, dbtest.Open(t, d.Engine()), c)
				_, _, cheap := b.placeOrder(t, 1, c.Ways[0])
				_, _, dear := b.withStranger(t).placeOrder(t, 5, c.Ways[0])
				open := b.bank.PaymentsOf(string(dear))[0]
				claim := open
				claim.State = double.Paid
				b.tryForgedClaims(t, claim)
				b.tryOtherPayments(t, cheap, open)
				b.tryReplays(t, cheap)
			})
		}
	})
}

// tryForgedClaims sends forged callbacks which say that an open payment was paid, and expects no change.
func (b *attackedEdge) tryForgedClaims(t *testing.T, claim double.Payment) {
	t.Helper()
	genuine := b.client.Callback(claim, b.Clock)
	tries := breakCallback(genuine)
	if b.isSigned() {
		tries["signed by another"] = b.client.Signed(claim, b.Clock, "another secret")
		tries["signed with nothing"] = b.client.Signed(claim, b.Clock, "")
	}
	for name, c := range tries {
		b.expectUnchanged(t, name, func() {
			if status := b.sendCallback(t, b.host, c); status == http.StatusOK && b.isSigned() {
				t.Errorf("%s is answered with %d", name, status)
			}
		})
	}
	// Even with the right secret the claim is false: the bank itself says that nothing was paid.
	b.expectUnchanged(t, "a claim", func() { b.sendCallback(t, b.host, genuine) })
	for _, header := range []string{"X-Forwarded-For", "X-Real-Ip", "Forwarded", "True-Client-Ip", "Cf-Connecting-Ip"} {
		b.expectUnchanged(t, header, func() {
			b.sendCallback(t, b.host, genuine, header, "185.71.76.1")
			b.sendCallback(t, b.host, genuine, header, "for=127.0.0.1")
		})
	}
	for _, host := range []string{"localhost", "pizza.localhost"} {
		if host == b.host {
			continue
		}
		b.expectUnchanged(t, "another brand", func() {
			b.sendCallback(t, host, genuine)
		})
	}
}

// tryOtherPayments pays the cheap payment, and expects that callbacks which mix it with the open dear one
// change nothing.
func (b *attackedEdge) tryOtherPayments(t *testing.T, cheap acquiring.ID, dear double.Payment) {
	t.Helper()
	ref := b.bank.PaymentsOf(string(cheap))[0].Ref
	if !b.bank.SettlePayment(ref, "") {
		t.Fatal("the cheap one cannot be paid")
	}
	paid, _ := b.bank.FindPayment(ref)
	if status := b.sendCallback(t, b.host, b.client.Callback(paid, b.Clock)); status != http.StatusOK {
		t.Fatalf("a genuine callback is answered with %d", status)
	}
	if !strings.Contains(b.readState(t), " paid ") {
		t.Fatalf("the cheap order is not paid: %s", b.readState(t))
	}
	asDear := paid
	asDear.ID, asDear.Amount = dear.ID, dear.Amount
	withRef := dear
	withRef.Ref, withRef.State = paid.Ref, double.Paid
	withID := dear
	withID.State, withID.Amount = double.Paid, paid.Amount
	for name, p := range map[string]double.Payment{"the dear one's id": asDear, "the cheap one's name": withRef, "the dear one for less": withID} {
		b.expectUnchanged(t, name, func() { b.sendCallback(t, b.host, b.client.Callback(p, b.Clock)) })
		if b.isSigned() {
			b.expectUnchanged(t, name, func() { b.sendCallback(t, b.host, b.client.Signed(p, b.Clock, "another secret")) })
		}
	}
}

// tryReplays sends a genuine callback again and again, then a refusal of the same payment, and expects no
// change.
func (b *attackedEdge) tryReplays(t *testing.T, id acquiring.ID) {
	t.Helper()
	times := 1000
	if testing.Short() || b.DB.Engine() == db.Postgres {
		times = 50
	}
	paid := b.bank.PaymentsOf(string(id))[0]
	b.expectUnchanged(t, "a replay", func() {
		for i := range times {
			if i%40 == 0 {
				b.Clock.Advance(2 * time.Second)
			}
			b.sendCallback(t, b.host, b.client.Callback(paid, b.Clock))
		}
	})
	failed := paid
	failed.State, failed.Code = double.Failed, b.client.Refusal
	b.expectUnchanged(t, "a refusal of what was paid", func() { b.sendCallback(t, b.host, b.client.Callback(failed, b.Clock)) })
}

func TestCallback_trustsNoHeaderForTheAcquirersAddress(t *testing.T) {
	t.Parallel()
	c := clients.ListClients()[0]
	c.Make = func(base string, now *clock.Fake) (acquiring.Acquirer, error) {
		return yookassa.New(yookassa.Config{
			BaseURL: base, ShopID: ykdouble.ShopID, SecretKey: ykdouble.SecretKey, Clock: now,
			Senders: []netip.Prefix{netip.MustParsePrefix("185.71.76.0/27")},
		})
	}
	b := newAttackedEdge(t, dbtest.Open(t, db.SQLite), c)
	_, _, id := b.placeOrder(t, 1, c.Ways[0])
	b.bank.SettlePayment(b.bank.PaymentsOf(string(id))[0].Ref, "")
	genuine := c.Callback(b.bank.PaymentsOf(string(id))[0], b.Clock)
	asked := b.bank.CountRequests("status")
	for _, header := range []string{"X-Forwarded-For", "X-Real-Ip", "Forwarded", "True-Client-Ip", "Cf-Connecting-Ip"} {
		b.expectUnchanged(t, header, func() {
			if status := b.sendCallback(t, b.host, genuine, header, "185.71.76.1"); status == http.StatusOK {
				t.Errorf("%s makes anybody the acquirer", header)
			}
		})
	}
	if b.bank.CountRequests("status") != asked {
		t.Error("the acquirer was asked about a stranger's callback")
	}
}

func TestThreeDSReturn_isForItsOwnOrder(t *testing.T) {
	t.Parallel()
	for _, c := range clients.ListClients() {
		for _, w := range c.Ways {
			if w.Prove == nil || len(w.Ops) < 2 {
				continue
			}
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				b := newAttackedEdge(t, dbtest.Open(t, db.SQLite), c)
				mine, key, _ := b.placeOrder(t, 1, c.Ways[0])
				_, _, theirs := b.withStranger(t).placeOrder(t, 5, c.Ways[0])
				b.expectUnchanged(t, "post3ds", func() {
					for _, id := range []string{string(theirs), "made-up", strings.Repeat("a", 36)} {
						b.buyer.call("POST", "/api/order/post3ds", object{
							"order_id": mine, "order_cache_key": key, "TransactionId": id, "PaRes": "made up", "cres": "made up",
						})
					}
				})
				b.expectUnchanged(t, "the way back from the bank", func() {
					for _, id := range []string{string(theirs), "made-up"} {
						b.buyer.call("POST", "/api/order/3ds/"+id, "PaRes=made+up&MD=1", "Content-Type", "application/x-www-form-urlencoded")
					}
				})
			})
		}
	}
}
