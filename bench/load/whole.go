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

// rows are the rows that each writing call of the journey writes in a transaction: session and cart; the cart, and
// the address where there is one; the cart; the checkout, its hold, its slot and the job that releases them; then
// the claim of the checkout, the renamed hold, the order, its origin, its line, its state twice, and the cart.
func (j wholeJourney) rows() []int {
	place := 1
	if j.isDelivery {
		place = 2
	}
	return []int{2, place, 1, checkoutRows, 8}
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
// program, where the options name one, and beside transactions that insert as many rows.
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

// compareJourneys measures one kind of journey of so many guests at once, on all programs and beside the bare
// transactions, in turns. It reports rates and ratios, and the processor time that each program takes for an
// order.
func (b bench) compareJourneys(ctx context.Context, isDelivery bool, guests int, runners []journeyRunner) error {
	works := make([][]step, 0, len(runners)+1)
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
	works = append(works, insertRows(ctx, b.environment.bareDB, guests, rows...))
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
	b.report.addWork(b.engine, name, samples[0], fmt.Sprintf("transactions of %v rows", rows), samples[len(runners)])
	return ctx.Err()
}

// processorTime returns the processor time that the i-th program has used so far; 0 for what is no program.
func processorTime(runners []journeyRunner, i int) time.Duration {
	if i >= len(runners) {
		return 0
	}
	return runners[i].program.processorTime()
}
