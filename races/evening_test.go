package races_test

import (
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

// moscow is the time zone of the evening's city.
var moscow = time.FixedZone("Moscow", 3*60*60)

// evening is a restaurant whose staff work by calls alone, with a server that is killed again and again, and
// the customers of two days.
type evening struct {
	server *process
	db     *db.DB
	now    time.Time
	dice   *mathrand.Rand
	phones *phones
	desk   *party
	reader *reader
	// dying is closed when the kill that killSoon has planned is done; nil when none is planned.
	dying chan struct{}
	turn  int // counts the calls of staff
	calls int
	kills int
	// messages counts the messages about all orders, unsure those that were being sent during a kill by chance.
	messages, unsure int

	orders map[int64]*ordered
	days   []string
}

// ordered is an order of the evening, with the status, outcome and messages that it must have at the end.
type ordered struct {
	guest           *party // nil for an order by phone
	phone           string
	status, outcome string
	occasions       []string
	// isLost reports that its last message was being sent when its sender was killed.
	isLost bool
}

// Two evenings by calls alone, against a server that is killed again and again, also during a call and while a
// message is sent. At the end customers, staff, phones, books and the reader of the feed have the same orders, and no
// message has arrived twice.
func TestEvening_survivesAServerThatIsKilled(t *testing.T) {
	t.Parallel()
	requirePage(t)
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			v := newEvening(t, engine)
			days := 2
			if testing.Short() {
				days = 1
			}
			for day := range days {
				v.open(t, day)
				v.run(t)
			}
			v.check(t)
		})
	}
}

// newEvening starts a server with its database and returns the restaurant. The clock of the server stands about two
// days ago, at noon in Moscow, so that jobs, which follow the machine's clock, are due at once.
func newEvening(t *testing.T, engine db.Engine) *evening {
	t.Helper()
	where := dbtest.Config(t, engine)
	v := &evening{
		now: clock.System{}.Now().UTC().Truncate(24 * time.Hour).Add(-39 * time.Hour), dice: mathrand.New(mathrand.NewPCG(11, uint64(len(engine)))),
		phones: newPhones(t), orders: map[int64]*ordered{},
	}
	dir := t.TempDir()
	for name, text := range eveningContent() {
		path := filepath.Join(dir, "content", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	providers := filepath.Join(dir, "providers.yaml")
	text := fmt.Sprintf("sushi:\n  sms:\n    - {provider: smsru, base_url: %q, api_id: %s}\n", v.phones.url, phonesKey)
	if err := os.WriteFile(providers, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	v.server = launch(t, settings{
		Data: where.Dir, DatabaseURL: where.URL, Content: filepath.Join(dir, "content"), Addr: address, Now: v.now, Providers: providers, PublicURL: "http://" + address,
	})
	t.Cleanup(func() { v.server.stop(t) })
	var err error
	if v.db, err = db.Open(t.Context(), where); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.db.Close(); err != nil {
			t.Error(err)
		}
	})
	v.desk, v.reader = v.newParty(t, ""), v.newReader(t)
	return v
}

// eveningContent returns the content files by name. The brand takes cash and, on its own form, cards, and sends
// messages on every occasion.
func eveningContent() map[string]string {
	files := maps.Clone(carttest.Texts)
	maps.Copy(files, carttest.Online(carttest.OwnCardForm))
	for _, name := range []string{"sushi/brand.yaml", "pizza/brand.yaml"} {
		files[name] = strings.ReplaceAll(files[name], ": "+carttest.Account, ": sandbox")
	}
	files["sushi/brand.yaml"] = strings.NewReplacer(
		"settings: {", "settings: {order_messages: [accepted, delayed, sent, canceled, refunded], ",
		"payment_types: {delivery: [", "payment_types: {delivery: [cash, ",
	).Replace(files["sushi/brand.yaml"])
	return files
}

// open begins a day at noon in Moscow, when the shop is open. It moves the clock on unless the day is the first.
func (v *evening) open(t *testing.T, day int) {
	t.Helper()
	if day > 0 {
		v.advance(t, v.now.Truncate(24*time.Hour).Add(33*time.Hour).Sub(v.now))
	}
	v.days = append(v.days, v.now.Format(time.DateOnly))
}

// killSoon kills the server within the next six milliseconds, without waiting. It does nothing when a kill is
// planned already.
func (v *evening) killSoon() {
	if v.dying != nil {
		return
	}
	dying, victim := make(chan struct{}), v.server.cmd.Process
	v.dying = dying
	v.kills++
	time.AfterFunc(time.Duration(v.dice.IntN(6000))*time.Microsecond, func() {
		_ = victim.Kill()
		close(dying)
	})
}

// kill kills the server, unless a kill is planned already, and starts it again.
func (v *evening) kill(t *testing.T) {
	t.Helper()
	if v.dying == nil { // otherwise restart waits for the planned kill
		v.server.kill(t)
		v.kills++
	}
	v.restart(t)
}

// restart waits until the killed server has ended, and starts it again at the evening's time.
func (v *evening) restart(t *testing.T) {
	t.Helper()
	if v.dying != nil {
		<-v.dying
		v.dying = nil
	}
	_ = v.server.cmd.Wait() // its error is that the server was killed
	v.server.with.Now = v.now
	v.server.begin(t)
}

// advance moves the clock of the server on and lets it sweep. It starts a server that is being killed again first.
func (v *evening) advance(t *testing.T, by time.Duration) {
	t.Helper()
	if v.dying != nil {
		v.restart(t)
	}
	v.now = v.now.Add(by)
	v.server.setClock(t, v.now)
}

// settle advances the clock until no message and no refund waits, then lets the reader read the feed.
func (v *evening) settle(t *testing.T) {
	t.Helper()
	for range 20 {
		v.advance(t, 6*time.Minute) // the leases of a killed server are over then
		for limit := now().Add(time.Second); now().Before(limit); time.Sleep(5 * time.Millisecond) {
			var waiting int
			err := v.db.Reader().QueryRowContext(t.Context(),
				"SELECT (SELECT COUNT(*) FROM order_message WHERE state IN ('waiting', 'sending')) + (SELECT COUNT(*) FROM refund WHERE state NOT IN ('done', 'failed'))").Scan(&waiting)
			if err != nil {
				t.Fatal(err)
			}
			if waiting == 0 {
				v.reader.read(t)
				return
			}
		}
	}
	t.Fatal("messages or refunds wait for ever")
}

// want sets the status, outcome and messages that an order must have at the end.
func (v *evening) want(id int64, status, outcome string, occasions ...string) {
	o := v.orders[id]
	o.status, o.outcome, o.occasions = status, outcome, occasions
}

// run plays an evening of twelve orders: stops, delays, cancellations, corrections, a pause.
func (v *evening) run(t *testing.T) {
	t.Helper()
	before := len(v.orders)
	cooked, misTapped, refused := v.order(t), v.order(t), v.order(t)
	late, corrected, paid := v.order(t), v.order(t), v.orderPaid(t)
	v.settle(t)

	guest, total := v.stopSalmon(t)
	v.changeOrder(t, cooked, "take", object{"actor": "till"})
	v.changeOrder(t, refused, "cancel", object{"outcome": "refused", "reason": "sold_out", "note": "no salmon", "actor": "till"})
	v.want(refused, "canceled", "refused", "accepted", "canceled")
	v.delayBeyondItsInterval(t, late)
	v.cancelWithPartOfTheMoney(t, paid)
	v.settle(t)

	v.cancelLate(t, late)
	v.callTwice(t, "/stops", object{"site": "sushi", "kind": "ingredient", "alias": "salmon", "off": true})
	back := v.place(t, guest, guest.checkOut(t, total))
	first, second, third := v.orderByPhone(t), v.orderByPhone(t), v.orderByPhone(t)
	v.correctAddress(t, corrected)
	v.settle(t)

	v.move(t, "cooking", misTapped, second)
	v.changeOrder(t, misTapped, "step-back", object{"actor": "kitchen"})
	v.move(t, "sent", second)
	v.finish(t, cooked, misTapped, back, corrected, first, third)
	v.failDelivery(t, second)
	v.pauseAndHurry(t)
	if placed := len(v.orders) - before; placed != 12 {
		t.Fatalf("the evening has %d orders", placed)
	}
}

// stopSalmon stops salmon and checks that a guest at the checkout and another guest at the menu are refused. It
// returns the guest at the checkout and the total of that cart.
func (v *evening) stopSalmon(t *testing.T) (*party, any) {
	t.Helper()
	guest, other := v.newGuest(t), v.newGuest(t)
	total := guest.fillCart(t)
	request := guest.checkOut(t, total)
	other.enterAddress(t)
	v.callTwice(t, "/stops", object{"site": "sushi", "kind": "ingredient", "alias": "salmon", "until_shift_end": true})
	guest.mustBeRefused(t, "Some dishes have run out", http.MethodPost, "/order/create", request)
	other.mustBeRefused(t, "“Salmon roll” has run out for now. Back on ", http.MethodPut, "/cart/add", addSalmonBody())
	return guest, total
}

// delayBeyondItsInterval delays an order to an hour after its promised time.
func (v *evening) delayBeyondItsInterval(t *testing.T, id int64) {
	t.Helper()
	promised, err := time.Parse(time.RFC3339, v.desk.readOrder(t, id)["promised_to"].(string))
	if err != nil {
		t.Fatal(err)
	}
	v.changeOrder(t, id, "delay", object{"promised_at": promised.Add(time.Hour).Format(time.RFC3339), "note": "oven 2 is off"})
}

// cancelLate checks that the customer of a late order may cancel it, and cancels. The server is killed meanwhile.
func (v *evening) cancelLate(t *testing.T, id int64) {
	t.Helper()
	guest := v.orders[id].guest
	if shown := dig(guest.mustCall(t, http.MethodGet, fmt.Sprint("/order/", id), nil), "order"); dig(shown, "status", "can_cancel") != true {
		t.Errorf("a late order is shown as %v", shown)
	}
	v.killSoon()
	guest.mustCall(t, http.MethodPost, "/order/cancel", object{"order_id": id})
	v.want(id, "canceled", "canceled", "accepted", "delayed")
}

// failDelivery cancels an order that no customer took at the door. It kills the server while the message about that
// is being sent.
func (v *evening) failDelivery(t *testing.T, id int64) {
	t.Helper()
	taken := v.phones.hold(v.orders[id].phone)
	v.changeOrder(t, id, "cancel", object{"outcome": "undelivered", "reason": "nobody_there", "food": "returned", "actor": "courier 7"})
	v.want(id, "canceled", "undelivered", "accepted", "sent", "canceled")
	v.orders[id].isLost = true
	v.advance(t, 6*time.Minute)
	select {
	case <-taken:
	case <-time.After(patience):
		t.Fatal("the message is never sent")
	}
	v.kill(t)
	v.settle(t)
}

// cancelWithPartOfTheMoney moves a paid order to cooking, cancels it and refunds 100.
func (v *evening) cancelWithPartOfTheMoney(t *testing.T, id int64) {
	t.Helper()
	v.move(t, "cooking", id)
	v.changeOrder(t, id, "cancel", object{"outcome": "canceled", "reason": "overloaded", "refund": object{"amount": 100}})
	v.want(id, "canceled", "canceled", "accepted", "canceled", "refunded")
}

// correctAddress corrects the address of an order from a zone of free delivery to one that costs 199. It checks that
// the dry run foresees the new total and that the customer sees it.
func (v *evening) correctAddress(t *testing.T, id int64) {
	t.Helper()
	there := object{
		"street": "Южная улица", "house": "7",
		"coordinates": object{"latitude": carttest.InHard.Latitude, "longitude": carttest.InHard.Longitude},
	}
	foreseen := v.changeOrder(t, id, "correct", object{"dry_run": true, "address": there})
	got := v.changeOrder(t, id, "correct", object{"key": fmt.Sprint("the other house ", id), "address": there, "actor": "desk"})
	for _, effect := range []map[string]any{foreseen, got} {
		if before, after := dig(effect, "effect", "total_before").(float64), dig(effect, "effect", "total_after"); after != before+199 {
			t.Errorf("in a dearer zone the order costs %v instead of %v", after, before)
		}
	}
	seen := dig(v.orders[id].guest.mustCall(t, http.MethodGet, fmt.Sprint("/order/", id), nil), "order")
	if dig(seen, "cart", "prices", "total") != dig(got, "effect", "total_after") || !strings.Contains(fmt.Sprint(dig(seen, "delivery_address")), "Южная улица, 7") {
		t.Errorf("the customer sees %v at %v", dig(seen, "cart", "prices"), dig(seen, "delivery_address"))
	}
}

// pauseAndHurry pauses the shop, then makes it busy; both end by themselves. It checks that no order can be placed
// during the pause, and that an order is promised 20 minutes later while the shop is busy.
func (v *evening) pauseAndHurry(t *testing.T) {
	t.Helper()
	timeToPromise := func(id int64) time.Duration {
		promised, err := time.Parse(time.RFC3339, v.desk.readOrder(t, id)["promised_to"].(string))
		if err != nil {
			t.Fatal(err)
		}
		return promised.Sub(v.now).Round(10 * time.Minute)
	}
	end := v.now.Add(30 * time.Minute)
	guest := v.newGuest(t)
	total := guest.fillCart(t)
	request := guest.checkOut(t, total)
	v.callTwice(t, "/kitchen/pause", object{"site": "sushi", "shop_id": carttest.Arbat, "until": end, "reason": "equipment", "actor": "kitchen"})
	if shop := listAt(guest.mustCall(t, http.MethodGet, "/shops?city_id=1", nil), "shops")[0]; dig(shop, "open_state", "open") != false {
		t.Errorf("a paused shop is shown as %v", dig(shop, "open_state"))
	}
	guest.mustBeRefused(t, "We are not taking orders until "+end.In(moscow).Format("15:04"), http.MethodPost, "/order/create", request)
	v.advance(t, end.Sub(v.now))
	usual := v.place(t, guest, guest.checkOut(t, total))
	usualTime := timeToPromise(usual)

	end = v.now.Add(30 * time.Minute)
	v.callTwice(t, "/kitchen/busy", object{"site": "sushi", "shop_id": carttest.Arbat, "minutes": 20, "until": end, "reason": "too_many_orders", "actor": "kitchen"})
	hurried := v.order(t)
	if more := timeToPromise(hurried) - usualTime; more != 20*time.Minute {
		t.Errorf("a busy shop promises an order %s later", more)
	}
	v.advance(t, end.Sub(v.now))
	if left := listAt(v.desk.mustCall(t, http.MethodGet, "/operator/kitchen?site=sushi", nil), "kitchens"); len(left) != 0 {
		t.Errorf("after its end the shop is still %v", left)
	}
	v.settle(t)
	v.finish(t, usual, hurried)
}
