package cart

import (
	"slices"

	"servery/internal/site"
)

// MergedWith returns the customer's cart merged with the guest's. It has the lines of both; a line that is
// in both has the higher count. The place, the time and the packages are the guest's where the guest has
// chosen a place, since that choice is newer; a guest who has chosen the same place and no time leaves the
// customer's time. Code, gifts, presents, bonuses and phone are the guest's only where the customer has none.
func (c Cart) MergedWith(guest Cart) Cart {
	before := c
	c.Lines, c.Before = slices.Clone(c.Lines), nil
	for _, line := range guest.Lines {
		if own := c.findLine(line.Key); own >= 0 {
			line.Count -= c.Lines[own].Count // With adds the rest, so that the higher count stays
		}
		c = c.With(line)
	}
	if guest.ShopID != 0 || guest.Address != nil || guest.ZoneID != 0 {
		c.OrderType, c.IntervalID, c.WithoutBag = guest.OrderType, guest.IntervalID, guest.WithoutBag
		if guest.ShopID != 0 {
			c.ShopID = guest.ShopID
		}
		if guest.Address != nil {
			c.Address = guest.Address
		}
		if guest.ZoneID != 0 {
			c.ZoneID = guest.ZoneID
		}
		if c.IntervalID == "" && c.hasPlaceOf(before) {
			c.IntervalID = before.IntervalID
		}
	}
	if len(c.Gifts) == 0 {
		c.Gifts = guest.Gifts
	}
	if len(c.Presents) == 0 {
		c.Presents = guest.Presents
	}
	if c.Promocode == "" {
		c.Promocode = guest.Promocode
	}
	if c.Bonuses == 0 {
		c.Bonuses = guest.Bonuses
	}
	if c.Phone == "" {
		c.Phone = guest.Phone
	}
	return c
}

// hasPlaceOf reports whether both carts are collected in the same shop, or delivered to the same point or, while
// neither has an address, into the same zone.
func (c Cart) hasPlaceOf(other Cart) bool {
	switch {
	case c.OrderType != other.OrderType:
		return false
	case c.OrderType == site.Takeaway:
		return c.ShopID == other.ShopID
	case c.Address != nil && other.Address != nil:
		return c.Address.Point == other.Address.Point
	}
	return c.Address == nil && other.Address == nil && c.ZoneID == other.ZoneID
}
