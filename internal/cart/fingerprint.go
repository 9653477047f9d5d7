package cart

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"servery/internal/money"
	"servery/internal/site"
)

// fingerprintBytes is how much of the hash is kept: enough that nobody meets two carts
// of one fingerprint, and short on the wire.
const fingerprintBytes = 12

// fingerprint hashes what the customer agrees to by ordering the cart as it is shown
// (docs/pricing.md, what it is agreed to). No words are in it, so it is the same in
// every language.
func (q *Quoted) fingerprint() string {
	h := hashed{make([]byte, 0, 256+64*len(q.Lines))}
	h.place(q.Spot, q.Cart)
	h.int(int64(len(q.Lines)))
	for i := range q.Lines {
		l := &q.Lines[i]
		h.text(l.Key)
		h.int(int64(l.Count))
		h.int(int64(l.WithModifiers))
		h.truth(l.IsSold())
	}
	h.gifts(q.Gifts)
	h.gifts(q.Presents)
	h.int(int64(len(q.Packages)))
	for i := range q.Packages {
		h.int(q.Packages[i].ID)
		h.int(int64(q.Packages[i].Count))
	}
	if q.Promocode != nil && q.Promocode.IsActive {
		h.text(q.Promocode.Code)
	} else {
		h.text("")
	}
	p := &q.Prices
	for _, sum := range [...]money.Amount{p.Subtotal, p.Packages, p.Delivery, p.Discount, p.Bonuses, p.UpcomingBonuses, p.Total} {
		h.int(int64(sum))
	}
	sum := sha256.Sum256(h.bytes)
	return base64.RawURLEncoding.EncodeToString(sum[:fingerprintBytes])
}

// hashed gathers what is hashed. Each text stands behind its length, so that no two
// carts are written alike.
type hashed struct{ bytes []byte }

func (h *hashed) int(n int64) { h.bytes = binary.AppendVarint(h.bytes, n) }

func (h *hashed) text(s string) {
	h.int(int64(len(s)))
	h.bytes = append(h.bytes, s...)
}

func (h *hashed) truth(is bool) {
	if is {
		h.int(1)
	} else {
		h.int(0)
	}
}

func (h *hashed) place(s Place, c Cart) {
	var shop, zone, address int64
	if s.Shop != nil {
		shop = s.Shop.ID
	}
	if s.Zone != nil {
		zone = s.Zone.ID
	}
	if c.Address != nil && c.OrderType == site.Delivery {
		address = c.Address.ID
	}
	h.int(s.City.ID)
	h.text(string(s.OrderType))
	h.int(shop)
	h.int(zone)
	h.int(address)
}

// gifts writes those that are in the cart.
func (h *hashed) gifts(list []PricedGift) {
	for i := range list {
		if g := &list[i]; g.Count > 0 {
			h.text(string(g.Kind))
			h.int(g.ID)
			h.int(int64(g.Count))
		}
	}
	h.text("")
}
