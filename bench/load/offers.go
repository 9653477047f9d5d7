package main

import (
	"context"
	"encoding/json"
	"errors"
)

// Two codes of the content that hold for every order, one after the other in each cart.
var codes = [2]string{"UMIKO10", "FREEWAY"}

// measureOffers measures promocodes and gifts as the page applies and takes them: with an idempotency
// key, in a session, in carts that have earned a gift. Each call changes the cart.
func (b bench) measureOffers(ctx context.Context) error {
	for _, work := range []struct {
		name  string
		calls func(c *connection) ([2][]byte, error)
	}{{"apply promocode", b.promocodeRequests}, {"add gift, remove gift", b.giftRequests}} {
		all, err := openConnections(ctx, b.program.addr, b.connections)
		if err != nil {
			return err
		}
		steps := make([]step, len(all))
		for i, c := range all {
			calls, err := work.calls(c)
			if err != nil {
				return err
			}
			steps[i] = inTurns(c, calls)
		}
		if err := b.measureBesideLimits(ctx, work.name, steps); err != nil {
			return err
		}
	}
	return nil
}

// inTurns returns a step that sends two requests alternately.
func inTurns(c *connection, calls [2][]byte) step {
	n := 0
	return func() error {
		n++
		fillKey(calls[n%2])
		_, err := c.expect(calls[n%2])
		return err
	}
}

// promocodeRequests fills a cart that has earned a gift, and returns two requests that each apply
// another promocode to it.
func (b bench) promocodeRequests(c *connection) (calls [2][]byte, err error) {
	if _, err := b.earnGift(c); err != nil {
		return calls, err
	}
	for i, code := range codes {
		if calls[i], err = b.requestWithKey(c, "/api/cart/gift/apply-promocode", b.delivery("promocode", code)); err != nil {
			return calls, err
		}
	}
	return calls, nil
}

// giftRequests fills a cart that has earned a gift, and returns the requests that remove the gift
// and add it again.
func (b bench) giftRequests(c *connection) (calls [2][]byte, err error) {
	gift, err := b.earnGift(c)
	if err != nil {
		return calls, err
	}
	for i, path := range []string{"/api/cart/gift/remove", "/api/cart/gift/add"} {
		if calls[i], err = b.requestWithKey(c, path, b.delivery("gift_id", gift)); err != nil {
			return calls, err
		}
	}
	return calls, nil
}

// earnGift fills a cart until it has earned a gift, and returns the gift.
func (b bench) earnGift(c *connection) (int64, error) {
	const tries = 10
	for range tries {
		for _, key := range b.menu.products {
			var answer struct {
				Cart struct {
					Gifts []struct {
						ID          int64
						IsAvailable bool `json:"is_available"`
					}
				}
			}
			if err := c.callAPI("PUT", "/api/cart/add", b.delivery("product_key", key, "count", 2), &answer); err != nil {
				return 0, err
			}
			for _, gift := range answer.Cart.Gifts {
				if gift.IsAvailable {
					return gift.ID, nil
				}
			}
		}
	}
	return 0, errors.New("no cart earns a gift")
}

// delivery returns the place of a delivery, with more fields as pairs of name and value.
func (b bench) delivery(more ...any) place {
	const noShop = 0
	p := b.menu.place(noShop, more...)
	delete(p, "shop_id")
	p["order_type"], p["delivery_zone_id"] = "delivery", b.menu.zone
	return p
}

// requestWithKey returns a request with the visitor's cookie and room for an idempotency key.
func (b bench) requestWithKey(c *connection, path string, body place) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return request("PUT", path, text, "Cookie", c.cookie, "Idempotency-Key", noKey), nil
}
