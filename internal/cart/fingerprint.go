package cart

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"servery/internal/money"
	"servery/internal/site"
)

// fingerprintBytes is how much of the hash is used: enough that two carts never have one
// fingerprint, and short on the wire.
const fingerprintBytes = 12

// computeFingerprint returns a hash of all that the customer agrees to by ordering the cart as it
// is shown (docs/pricing.md, section 8). No text is hashed, so that it is the same in every
// language.
func (q *Quoted) computeFingerprint() string {
	const forCart, forLine = 256, 64 // bytes that are enough for most carts
	h := hashInput{make([]byte, 0, forCart+forLine*len(q.Lines))}
	h.writePlace(q.Spot, q.Cart)
	h.writeInt(int64(len(q.Lines)))
	for i := range q.Lines {
		l := &q.Lines[i]
		h.writeText(l.Key)
		h.writeInt(int64(l.Count))
		h.writeInt(int64(l.WithModifiers))
		h.writeBool(l.IsSold())
	}
	h.writeGifts(q.Gifts)
	h.writeGifts(q.Presents)
	h.writeInt(int64(len(q.Packages)))
	for i := range q.Packages {
		h.writeInt(q.Packages[i].ID)
		h.writeInt(int64(q.Packages[i].Count))
	}
	if q.Promocode != nil && q.Promocode.IsActive {
		h.writeText(q.Promocode.Code)
	} else {
		h.writeText("")
	}
	p := &q.Prices
	for _, sum := range [...]money.Amount{p.Subtotal, p.Packages, p.Delivery, p.Discount, p.Bonuses, p.UpcomingBonuses, p.Total} {
		h.writeInt(int64(sum))
	}
	sum := sha256.Sum256(h.bytes)
	return base64.RawURLEncoding.EncodeToString(sum[:fingerprintBytes])
}

// hashInput collects the bytes to hash. The length of each text is written before it, so that no
// two carts have the same bytes.
type hashInput struct{ bytes []byte }

// writeInt writes a number in as many bytes as it needs.
func (h *hashInput) writeInt(n int64) { h.bytes = binary.AppendVarint(h.bytes, n) }

// writeText writes the length of a text and the text.
func (h *hashInput) writeText(s string) {
	h.writeInt(int64(len(s)))
	h.bytes = append(h.bytes, s...)
}

// writeBool writes 1 for true and 0 for false.
func (h *hashInput) writeBool(value bool) {
	if value {
		h.writeInt(1)
	} else {
		h.writeInt(0)
	}
}

// writePlace writes the part of the place that prices depend on. The address counts for delivery
// only.
func (h *hashInput) writePlace(s Place, c Cart) {
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
	h.writeInt(s.City.ID)
	h.writeText(string(s.OrderType))
	h.writeInt(shop)
	h.writeInt(zone)
	h.writeInt(address)
}

// writeGifts writes the gifts of the list that are in the cart, and then an empty text, which
// marks the end of the list.
func (h *hashInput) writeGifts(list []PricedGift) {
	for i := range list {
		if g := &list[i]; g.Count > 0 {
			h.writeText(string(g.Kind))
			h.writeInt(g.ID)
			h.writeInt(int64(g.Count))
		}
	}
	h.writeText("")
}
