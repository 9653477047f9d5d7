// Package cart is what a visitor has chosen and what it costs. It is pure: it reads and writes
// nothing.
//
// A [Cart] is a plain document: a change takes one and returns another, or a fault and changes
// nothing. [Quote] prices a cart by the menu of its place and by [Facts]. Package carts loads,
// changes, saves and prices the carts of visitors.
package cart

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/site"
)

// MaxCount is how many portions of one product a cart may hold, over all lines.
const MaxCount = 100

// MaxLines and MaxPortions are how many lines and how many portions a cart may hold. Larger orders are taken by phone.
const (
	MaxLines    = 100
	MaxPortions = 1000
)

// Cart is what a customer has chosen in one city, and where and when they want it.
type Cart struct {
	CityID    int64          `json:"-"`
	OrderType site.OrderType `json:"order_type"`
	// ShopID is the shop chosen for takeaway, 0 while none is.
	ShopID int64 `json:"shop_id,omitempty"`
	// Address is where to deliver; nil while none is chosen. It decides the zone.
	Address *geo.Address `json:"address,omitempty"`
	// ZoneID is the zone that prices follow while there is no address.
	ZoneID int64 `json:"zone_id,omitempty"`
	// IntervalID is the chosen time, empty while none is.
	IntervalID string `json:"interval_id,omitempty"`
	// WithoutBag refuses the packages that can be refused.
	WithoutBag bool `json:"without_bag,omitempty"`
	// Lines are in the order in which they were added.
	Lines []Line `json:"lines,omitempty"`
	// Gifts are by the id of the gift, Presents by that of the present.
	Gifts    []Given `json:"gifts,omitempty"`
	Presents []Given `json:"presents,omitempty"`
	// Promocode is the code in its normal form, empty for none.
	Promocode string `json:"promocode,omitempty"`
	// Bonuses is the most that the customer asked to pay with bonuses; 0 is nothing.
	Bonuses money.Amount `json:"bonuses,omitempty"`
	// Phone is that of the last order that was refused, digits only. Gifts and codes for a first
	// order depend on it from then on.
	Phone string `json:"phone,omitempty"`
	// Before is the cart as it was before an order was put into it, so that it can be restored. It is
	// nil when no order was put into the cart, or when the cart was changed since.
	Before *Cart `json:"before,omitempty"`
	// Version goes up with each saved change; 0 was never saved.
	Version int64 `json:"-"`
}

// Given is a gift or a present in a cart.
type Given struct {
	ID    int64 `json:"id"`
	Count int   `json:"count"`
}

// Line is a product with certain modifiers.
type Line struct {
	// Key is the product's key, and for a line with modifiers "~" and their hash.
	Key       string    `json:"key"`
	ProductID int64     `json:"product_id"`
	Count     int       `json:"count"`
	Modifiers []Chosen  `json:"modifiers,omitempty"`
	AddedAt   time.Time `json:"added_at"`
}

// Chosen is a modifier and its count in each portion. GroupID is 0 for a modifier that belongs to
// no group.
type Chosen struct {
	ID      int64 `json:"id"`
	GroupID int64 `json:"group_id,omitempty"`
	Count   int   `json:"count"`
}

// Addition is a request to put a product into the cart.
type Addition struct {
	ProductKey string `json:"product_key"`
	Count      int    `json:"count"`
	// Modifiers are chosen for each portion. Nil differs from empty: it adds to the line with this
	// key or, when there is no such line, chooses the product's usual modifiers.
	Modifiers []Chosen `json:"modifiers,omitzero"`
}

// Add returns the cart with the addition in it. Faults: cart.bad_count, cart.too_many,
// cart.too_many_lines, cart.too_many_portions, cart.multiplicity, cart.other_city, cart.no_address,
// cart.no_shop, cart.not_sold, cart.unknown_modifier and those of modifiers out of their bounds (Invalid);
// cart.product_stopped, cart.modifier_stopped (Conflict); cart.unknown_product (NotFound).
func (c Cart) Add(a Addition, place Place, menu *catalog.Menu, l lang.Lang, now time.Time) (Cart, error) {
	if err := checkCount(a.Count); err != nil {
		return c, err
	}
	if err := place.CheckOrderable(); err != nil {
		return c, err
	}
	product, err := productOf(a.ProductKey, c.CityID, menu)
	if err != nil {
		return c, err
	}
	if err := checkSellable(product, menu, l, now); err != nil {
		return c, err
	}
	line, err := c.lineFor(a, product, menu, l)
	if err != nil {
		return c, err
	}
	if err := checkStep(a.Count, place.Step(product)); err != nil {
		return c, err
	}
	if c.CountOf(product.ID)+a.Count > MaxCount {
		return c, refuseProduct("cart.too_many", fault.Args{"max": MaxCount, "name": menu.Site.Text(product.Name, l)})
	}
	if err := c.checkRoom(line.Key, a.Count); err != nil {
		return c, err
	}
	line.Count, line.AddedAt = a.Count, now
	return c.With(line), nil
}

// checkRoom returns cart.too_many_lines or cart.too_many_portions (Invalid) when the cart has no room for so many more
// portions in the line with the key.
func (c Cart) checkRoom(key string, portions int) error {
	if c.findLine(key) < 0 && len(c.Lines) >= MaxLines {
		return refuseProduct("cart.too_many_lines", fault.Args{"max": MaxLines})
	}
	if c.portions()+portions > MaxPortions {
		return refuseProduct("cart.too_many_portions", fault.Args{"max": MaxPortions})
	}
	return nil
}

// portions returns how many portions the cart has in all lines.
func (c Cart) portions() int {
	sum := 0
	for _, line := range c.Lines {
		sum += line.Count
	}
	return sum
}

// lineFor returns the line that an addition goes to, without its count: the line with the
// addition's key when the addition names no modifiers, else the line of the product with the
// named modifiers or with its usual ones. It returns an Invalid fault for a choice of modifiers
// that is not allowed, and cart.modifier_stopped (Conflict).
func (c Cart) lineFor(a Addition, product *catalog.Product, menu *catalog.Menu, l lang.Lang) (Line, error) {
	if index := c.findLine(a.ProductKey); index >= 0 && a.Modifiers == nil {
		line := c.Lines[index]
		_, err := Choose(product, line.Modifiers, menu.Site, l) // one may have been stopped or changed since
		return Line{Key: line.Key, ProductID: product.ID}, err  // its key is enough to add to it
	}
	if a.Modifiers == nil {
		a.Modifiers = Usual(product)
	}
	chosen, err := Choose(product, withGroups(product, a.Modifiers), menu.Site, l)
	return Line{Key: LineKey(product.Key, chosen), ProductID: product.ID, Modifiers: chosen}, err
}

// Remove returns the cart with a line reduced by count portions, or without the line when nothing is
// left. A line that is not in the cart is no fault. Faults: cart.bad_count, cart.multiplicity, cart.other_city
// (Invalid), cart.unknown_product (NotFound).
func (c Cart) Remove(key string, count int, place Place, menu *catalog.Menu) (Cart, error) {
	if err := checkCount(count); err != nil {
		return c, err
	}
	product, err := productOf(key, c.CityID, menu)
	if err != nil {
		return c, err
	}
	index := c.findLine(key)
	switch {
	case index < 0:
		return c, nil
	case count >= c.Lines[index].Count:
		return c.withoutLine(index), nil
	case product.IsSold(): // a product that is not sold has no step
		if err := checkStep(count, place.Step(product)); err != nil {
			return c, err
		}
	}
	c.Lines = slices.Clone(c.Lines)
	c.Lines[index].Count -= count
	return c, nil
}

// Forget returns the cart without a line, whatever its count. A line that is not in the cart is no
// fault. Faults: cart.unknown_product (NotFound), cart.other_city (Invalid).
func (c Cart) Forget(key string) (Cart, error) {
	if _, err := parseKey(key, c.CityID); err != nil {
		return c, err
	}
	if index := c.findLine(key); index >= 0 {
		return c.withoutLine(index), nil
	}
	return c, nil
}

// With returns the cart with a line added, or with its count added to the line that has the same
// key. The caller must have checked its product and modifiers. The count is reduced where the cart
// would have more than MaxCount portions of the product or MaxPortions in all; a line beyond MaxLines is
// left out.
func (c Cart) With(line Line) Cart {
	line.Count = min(line.Count, MaxCount-c.CountOf(line.ProductID), MaxPortions-c.portions())
	index := c.findLine(line.Key)
	if line.Count <= 0 || index < 0 && len(c.Lines) >= MaxLines {
		return c
	}
	c.Lines = slices.Clone(c.Lines)
	if index >= 0 {
		c.Lines[index].Count += line.Count
		return c
	}
	c.Lines = append(c.Lines, line)
	return c
}

// Emptied returns the cart without dishes, gifts, code, bonuses and chosen time. The place stays.
func (c Cart) Emptied() Cart {
	c.Lines, c.Gifts, c.Presents = nil, nil, nil
	c.IntervalID, c.Promocode, c.Bonuses, c.Before = "", "", 0, nil
	return c
}

// CountOf returns how many portions of a product are in the cart, over all lines.
func (c Cart) CountOf(productID int64) int {
	count := 0
	for _, l := range c.Lines {
		if l.ProductID == productID {
			count += l.Count
		}
	}
	return count
}

// WithoutUnknownLines returns the cart without lines of products that are not in the menu at all,
// because content no longer has them.
func (c Cart) WithoutUnknownLines(menu *catalog.Menu) Cart {
	isUnknown := func(l Line) bool { _, ok := menu.Product(l.ProductID); return !ok }
	if slices.ContainsFunc(c.Lines, isUnknown) {
		c.Lines = slices.DeleteFunc(slices.Clone(c.Lines), isUnknown)
	}
	return c
}

// findLine returns the index of the line with this key, or -1.
func (c Cart) findLine(key string) int {
	return slices.IndexFunc(c.Lines, func(l Line) bool { return l.Key == key })
}

// withoutLine returns the cart without the line at an index.
func (c Cart) withoutLine(index int) Cart {
	c.Lines = slices.Delete(slices.Clone(c.Lines), index, index+1)
	return c
}

// productOf returns the product of a key; the key may be that of a product or of a line. It
// returns cart.unknown_product (NotFound), or cart.other_city (Invalid) for the key of another
// city.
func productOf(key string, cityID int64, menu *catalog.Menu) (*catalog.Product, error) {
	id, err := parseKey(key, cityID)
	if err != nil {
		return nil, err
	}
	if p, ok := menu.Product(id); ok {
		return p, nil
	}
	return nil, fault.New(fault.NotFound, "cart.unknown_product")
}

// parseKey returns the id of the product in a key: "<city>-<product>", with "~" and a hash behind
// it for a line with modifiers. It returns cart.unknown_product (NotFound), or cart.other_city
// (Invalid) for the key of another city.
func parseKey(key string, cityID int64) (int64, error) {
	productKey, _, _ := strings.Cut(key, "~")
	cityText, idText, _ := strings.Cut(productKey, "-")
	city, cityErr := strconv.ParseInt(cityText, 10, 64)
	id, idErr := strconv.ParseInt(idText, 10, 64)
	switch {
	case cityErr != nil || idErr != nil:
		return 0, fault.New(fault.NotFound, "cart.unknown_product")
	case city != cityID:
		return 0, refuseProduct("cart.other_city", nil)
	}
	return id, nil
}

// checkSellable returns nil for a product that can be ordered here and now. Otherwise it returns
// cart.product_stopped (Conflict), or cart.not_sold (Invalid) when the product is not sold at
// the menu's place.
func checkSellable(p *catalog.Product, menu *catalog.Menu, l lang.Lang, now time.Time) error {
	switch p.Type {
	case catalog.Unavailable:
		return refuseProduct("cart.not_sold", fault.Args{"name": menu.Site.Text(p.Name, l)})
	case catalog.Stopped:
		until := p.Stop.Message(menu.Place.City.Location, now)
		return refuseStopped("cart.product_stopped", fault.Args{"name": menu.Site.Text(p.Name, l), "until": lang.T(l, until.Key, until.Args)})
	case catalog.Default, catalog.Related:
	}
	return nil
}

// checkCount returns cart.bad_count (Invalid) unless the count is from 1 to MaxCount.
func checkCount(count int) error {
	if count < 1 || count > MaxCount {
		return refuseProduct("cart.bad_count", fault.Args{"max": MaxCount})
	}
	return nil
}

// checkStep returns cart.multiplicity (Invalid) unless the count is a multiple of the step.
func checkStep(count, step int) error {
	if count%step != 0 {
		return refuseProduct("cart.multiplicity", fault.Args{"count": step})
	}
	return nil
}

// refuseProduct returns an Invalid fault whose message is also at the field product.
func refuseProduct(key string, args fault.Args) error {
	return fault.New(fault.Invalid, key, fault.With(args), fault.Field("product", key, args))
}

// refuseStopped returns a Conflict whose message is also at the field product, for a product that
// the customer was shown and that has been stopped since.
func refuseStopped(key string, args fault.Args) error {
	return fault.New(fault.Conflict, key, fault.With(args), fault.Field("product", key, args))
}
