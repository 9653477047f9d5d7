package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// wholeJourney is an order as a guest makes it in the page, in seven calls with their real answers: the first
// product, the address or the shop, the times of a day, one of them, the ways to pay, checkout and order.
type wholeJourney struct {
	menu       menu
	isDelivery bool
}

// name names the journey in the report.
func (j wholeJourney) name() string {
	if j.isDelivery {
		return "whole journey, delivery"
	}
	return "whole journey, takeaway"
}

// writes are the calls of the journey that write, with the rows that each writes in a transaction: session and cart; the
// cart, and the address where there is one; the cart; the checkout, its hold, its slot and the job that releases them;
// then the claim of the checkout, the renamed hold, the order, its origin, its line, its state twice, and the cart.
func (j wholeJourney) writes() []writingCall {
	choice := writingCall{"/api/shops/set", 1}
	if j.isDelivery {
		choice = writingCall{"/api/user/addresses/set-by-coordinates", 2}
	}
	return []writingCall{
		{"/api/cart/add", 2},
		choice,
		{"/api/cart/set-interval", 1},
		{"/api/order/create-order-cache", checkoutRows},
		{"/api/order/create", 8},
	}
}

// writingCall is a call by its path, and how many rows it writes in a transaction.
type writingCall struct {
	path string
	rows int
}

// rows are the rows of the writing calls, in their order.
func (j wholeJourney) rows() []int {
	var rows []int
	for _, w := range j.writes() {
		rows = append(rows, w.rows)
	}
	return rows
}

// recordBare makes one journey on a program and returns its answers, each with the rows that its call writes, for a
// bare handler: what is left of a program that does no work of its own.
func (j wholeJourney) recordBare(ctx context.Context, addr string) (map[string]bareAnswer, error) {
	c, err := dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	defer c.Close() //nolint:errcheck // only read
	c.recorded = map[string]bareAnswer{}
	if err := j.run(c, 0); err != nil {
		return nil, err
	}
	for _, w := range j.writes() {
		a, isKnown := c.recorded[w.path]
		if !isKnown {
			return nil, fmt.Errorf("the journey does not call %s", w.path)
		}
		a.Rows = w.rows
		c.recorded[w.path] = a
	}
	return c.recorded, nil
}

// guestJourney is one run of a journey on a connection, as a new guest at a place.
type guestJourney struct {
	*connection

	at place
}

// callWith makes a call at the place of the journey, with more fields as pairs of name and value, as a browser
// that accepts compressed answers. An answer that is decoded into target is requested plain.
func (g guestJourney) callWith(method, path string, target any, more ...any) error {
	body := place{}
	for name, value := range g.at {
		body[name] = value
	}
	for i := 0; i+1 < len(more); i += 2 {
		body[more[i].(string)] = more[i+1]
	}
	if target != nil {
		return g.callAPI(method, path, body, target)
	}
	return g.callAPI(method, path, body, nil, "Accept-Encoding", "br, gzip")
}

// run makes the journey on a connection. n chooses shop, product and time. It returns an error unless each call
// answers 200 and the order has a number.
func (j wholeJourney) run(c *connection, n int) error {
	const portions = 6 // enough for the least amount of a delivery
	c.cookie = ""      // the first call begins a new session
	shop := j.menu.shops[n%len(j.menu.shops)]
	interval := shop.intervals[n%len(shop.intervals)]
	g := guestJourney{c, place{"city_id": j.menu.city, "order_type": "takeaway", "shop_id": shop.id}}
	choose := func() error {
		return c.callAPI("POST", "/api/shops/set", place{"shop_id": shop.id}, nil, "Accept-Encoding", "br, gzip")
	}
	if j.isDelivery {
		interval = j.menu.deliveries[n%len(j.menu.deliveries)]
		g.at = place{"city_id": j.menu.city, "order_type": "delivery", "delivery_zone_id": j.menu.zone}
		to := place{
			"city_id": j.menu.city, "latitude": j.menu.point[0], "longitude": j.menu.point[1], "room": "1", "entrance": "1", "floor": "2",
		}
		choose = func() error {
			return c.callAPI("POST", "/api/user/addresses/set-by-coordinates", to, nil, "Accept-Encoding", "br, gzip")
		}
	}
	if err := g.callWith("PUT", "/api/cart/add", nil, "product_key", j.menu.products[n%len(j.menu.products)], "count", portions); err != nil {
		return err
	}
	if err := choose(); err != nil {
		return err
	}
	if err := g.callWith("POST", "/api/schedule/intervals", nil, "date", j.menu.day); err != nil {
		return err
	}
	return j.finish(g, interval)
}

// finish makes the calls of a journey after the choice of the place: the time, the ways to pay, checkout and order.
func (j wholeJourney) finish(g guestJourney, interval string) error {
	var chosen struct {
		Cart struct {
			Prices  struct{ Total json.Number }
			Address struct{ ID int64 } `json:"delivery_address"`
		}
	}
	if err := g.callAPI("PUT", "/api/cart/set-interval", place{"city_id": j.menu.city, "interval": interval}, &chosen); err != nil {
		return err
	}
	if err := g.callWith("POST", "/api/user/payment-types", nil); err != nil {
		return err
	}
	var checkout struct {
		Key string `json:"order_cache_key"`
	}
	if err := g.callWith("POST", "/api/order/create-order-cache", &checkout); err != nil {
		return err
	}
	var order struct {
		ID json.Number `json:"order_id"`
	}
	more := []any{
		"order_cache_key", checkout.Key, "phone", nextPhone(), "username", "Load", "payment_type", "cash",
		"interval_id", interval, "cart",
		place{"prices": place{"total": chosen.Cart.Prices.Total}},
	}
	if j.isDelivery {
		more = append(more, "delivery_address", place{"id": chosen.Cart.Address.ID})
	}
	if err := g.callWith("POST", "/api/order/create", &order, more...); err != nil {
		return err
	}
	_, err := order.ID.Int64()
	return err
}

// steps returns a step for each of n connections to a program. The step makes the journey.
func (j wholeJourney) steps(ctx context.Context, addr string, n int) ([]step, error) {
	connections, err := openConnections(ctx, addr, n)
	if err != nil {
		return nil, err
	}
	steps := make([]step, n)
	for i, c := range connections {
		next := i
		steps[i] = func() error {
			next++
			return j.run(c, next)
		}
	}
	return steps, nil
}

// journeyRunner is a program that is measured with journeys.
type journeyRunner struct {
	name    string
	program *program
	menu    menu
}

// measureJourneys measures whole journeys, of one guest and of as many as there are connections, beside the former
// program, where the options name one, beside transactions that insert as many rows, and beside a bare handler that
// makes these transactions and sends the same bytes.
func (b bench) measureJourneys(ctx context.Context) (err error) {
	runners := []journeyRunner{{"program", b.program, b.menu}}
	if b.former != "" {
		o := b.options
		o.binary, o.content = b.former, b.formerContent
		env, err := newEmptyEnvironment(ctx, o, b.engine)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, env.close()) }()
		former := journeyRunner{name: "former program"}
		if former.program, err = env.startProcess(ctx); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, former.program.stop()) }()
		if former.menu, err = readMenu(ctx, former.program.addr); err != nil {
			return err
		}
		runners = append(runners, former)
	}
	if err := prepareBare(ctx, b.environment.bareDB, b.connections); err != nil {
		return err
	}
	for _, isDelivery := range []bool{false, true} {
		for _, guests := range []int{1, b.connections} {
			if err := b.compareJourneys(ctx, isDelivery, guests, runners); err != nil {
				return err
			}
		}
	}
	return nil
}

// startBareJourney starts a bare handler of the journey. It returns a step for each guest, and a function that ends it.
func (b bench) startBareJourney(ctx context.Context, j wholeJourney, guests int) ([]step, func() error, error) {
	answers, err := j.recordBare(ctx, b.program.addr)
	if err != nil {
		return nil, nil, err
	}
	addr, stop, err := startBare(ctx, b.environment, bareContent{answers, b.environment.url, b.environment.bareFolder()})
	if err != nil {
		return nil, nil, err
	}
	steps, err := j.steps(ctx, addr, guests)
	if err != nil {
		return nil, nil, errors.Join(err, stop())
	}
	return steps, stop, nil
}

// compareJourneys measures one kind of journey of so many guests at once, on all programs and beside both limits, in
// turns. It reports rates and ratios, and the processor time that each program takes for an
// order.
func (b bench) compareJourneys(ctx context.Context, isDelivery bool, guests int, runners []journeyRunner) (err error) {
	works := make([][]step, 0, len(runners)+2)
	var name string
	var rows []int
	for _, r := range runners {
		j := wholeJourney{r.menu, isDelivery}
		name, rows = fmt.Sprintf("%s, %d at once", j.name(), guests), j.rows()
		steps, err := j.steps(ctx, r.program.addr, guests)
		if err != nil {
			return err
		}
		works = append(works, steps)
	}
	bare, stop, err := b.startBareJourney(ctx, wholeJourney{b.menu, isDelivery}, guests)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	works = append(works, insertRows(ctx, b.environment.bareDB, guests, rows...), bare)
	samples := make([]sample, len(works))
	used := make([]time.Duration, len(works))
	for round := -1; round < rounds; round++ { // the first one warms up
		for i, steps := range works {
			before := processorTime(runners, i)
			s := runSteps(ctx, steps, b.seconds/rounds)
			if round < 0 {
				if s.firstErr != nil {
					return fmt.Errorf("warm up: %w", s.firstErr)
				}
				continue
			}
			used[i] += processorTime(runners, i) - before
			samples[i].duration += s.duration
			samples[i].addSample(s)
		}
	}
	for i, r := range runners {
		if i > 0 {
			b.report.addWork(b.engine, name, samples[0], r.name, samples[i])
		}
		b.report.addTime(b.engine, fmt.Sprintf("processor time of an order, %s, %s", r.name, name), used[i]/time.Duration(max(len(samples[i].times), 1)))
	}
	limits := []string{fmt.Sprintf("transactions of %v rows", rows), "bare handler with them"}
	for i, limit := range limits {
		b.report.addWork(b.engine, name, samples[0], limit, samples[len(runners)+i])
	}
	return ctx.Err()
}

// processorTime returns the processor time that the i-th program has used so far; 0 for what is no program.
func processorTime(runners []journeyRunner, i int) time.Duration {
	if i >= len(runners) {
		return 0
	}
	return runners[i].program.processorTime()
}
