package main

import (
	"context"
	"encoding/json"
	"errors"
)

// codes are two promocodes of the content that are valid for every order. Each cart has them alternately.
var codes = [2]string{"UMIKO10", "FREEWAY"}

// measureOffers measures applying promocodes, and adding and removing gifts, as the page does it: with an
// idempotency key, in a session, in carts that have earned a gift. Each call changes the cart.
func (b bench) measureOffers(ctx context.Context) error {
	for _, work := range []struct {
		name  string
		calls func(c *connection) ([2][]byte, error)
	}{{"apply promocode", b.promocodeRequests}, {"add gift, remove gift", b.giftRequests}} {
		connections, err := openConnections(ctx, b.program.addr, b.connections)
		if err != nil {
			return err
		}
		steps := make([]step, len(connections))
		for i, c := range connections {
			calls, err := work.calls(c)
			if err != nil {
				return err
			}
			steps[i] = sendAlternately(c, calls)
		}
		if err := b.measureBesideLimits(ctx, work.name, steps); err != nil {
			return err
		}
	}
	return nil
}

// sendAlternately returns a step that sends the two requests in turns, each time with a new idempotency key.
func sendAlternately(c *connection, calls [2][]byte) step {
	n := 0
	return func() error {
		n++
		fillKey(calls[n%2])
		_, err := c.expect(calls[n%2])
		return err
	}
}

// promocodeRequests fills a cart until it has earned a gift, and returns two requests: each applies another
// promocode to the cart.
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

// giftRequests fills a cart until it has earned a gift, and returns two requests: one removes the gift, the
// other adds it.
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

// earnGift fills a cart until it has earned a gift, and returns the gift's id. It returns an error when ten
// rounds of all products earn none.
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

// delivery returns a place in the first delivery zone, with more fields as pairs of name and value.
func (b bench) delivery(more ...any) place {
	const noShop = 0
	p := b.menu.place(noShop, more...)
	delete(p, "shop_id")
	p["order_type"], p["delivery_zone_id"] = "delivery", b.menu.zone
	return p
}

// requestWithKey returns a PUT request with the connection's cookie and noKey, which fillKey replaces.
func (b bench) requestWithKey(c *connection, path string, body place) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return request("PUT", path, text, "Cookie", c.cookie, "Idempotency-Key", noKey), nil
}
