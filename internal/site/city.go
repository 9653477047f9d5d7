package site

import (
	"slices"
	"time"

	"servery/internal/lang"
	"servery/internal/money"
)

// City is a city that a brand sells in. The same city of two brands has the same id
// and alias; everything else may differ.
type City struct {
	ID    int64     `json:"id"`
	Alias string    `json:"alias"`
	Name  lang.Text `json:"name"`
	// Phrase is the city in a phrase: "в Москве", "in Moscow".
	Phrase lang.Text `json:"phrase"`
	// Timezone is the IANA name of Location.
	Timezone string         `json:"timezone"`
	Location *time.Location `json:"-"`
	// Stopped says that no orders are taken; Alert is the reason shown to customers.
	Stopped bool      `json:"stopped,omitempty"`
	Alert   lang.Text `json:"alert,omitempty"`
	// CountryCode names Country, ISO 3166-1 alpha-2.
	CountryCode string   `json:"country"`
	Country     *Country `json:"-"`
	Delivery    bool     `json:"delivery"`
	Takeaway    bool     `json:"takeaway"`
	Phone       string   `json:"phone,omitempty"`
	// Email is empty where that of the brand is shown.
	Email string `json:"email,omitempty"`
	// PhoneMasks are of all countries the brand sells in, the city's own first.
	PhoneMasks []PhoneMask `json:"-"`
	// PriceList is the alias of the price list and Currency what it is written in.
	PriceList string         `json:"price_list"`
	Currency  money.Currency `json:"currency"`
	Map       MapView        `json:"map"`
	Big       bool           `json:"big,omitempty"`
	// Popular are aliases of products; empty means the most ordered.
	Popular []string `json:"popular,omitempty"`
	// Promotions are aliases in the order in which they are shown.
	Promotions []string `json:"promotions,omitempty"`
	// Banners are aliases in the order in which they are shown.
	Banners []string `json:"banners,omitempty"`
	// PaymentTypes are in the order in which they are offered.
	PaymentTypes map[OrderType][]string `json:"payment_types"`
	// Acquiring names the acquirer's account for each payment type that is paid online.
	Acquiring map[string]string `json:"acquiring,omitempty"`
	// CardForm says that cards are entered on our own page, encrypted there.
	CardForm bool `json:"card_form,omitempty"`
	// Fiscal is what receipts of online payments contain; nil where none are sent.
	Fiscal    *Fiscal        `json:"fiscal,omitempty"`
	Banknotes []money.Amount `json:"-"`
	CashLimit money.Amount   `json:"-"`
	// Interval, DaysAhead and LateMinutes are those of the brand, or the city's own.
	Interval    int `json:"interval_minutes"`
	DaysAhead   int `json:"days_ahead"`
	LateMinutes int `json:"late_minutes"`
	// Bonus is the bonus programme here; nil when there is none.
	Bonus *BonusProgramme `json:"bonus_programme,omitempty"`
}

// Fiscal is how a shop is taxed, for the fiscal register (54-FZ). The words are those of package
// acquiring.
type Fiscal struct {
	// Tax is the tax system: general, simple_income, simple_profit, farm, patent; empty
	// leaves it to the acquirer.
	Tax string `json:"tax,omitempty"`
	// VAT is that of dishes and packages, DeliveryVAT that of the delivery: none, 0, 5, 7,
	// 10, 20, 22.
	VAT         string `json:"vat"`
	DeliveryVAT string `json:"delivery_vat"`
	// Mode is what receipts of payments say, one of [ReceiptModes]; empty is the first of them.
	Mode string `json:"mode,omitempty"`
	// PrepaymentVAT is how the tax of a prepayment is written, one of [PrepaymentVATs]; empty
	// is [PlainVAT].
	PrepaymentVAT string `json:"prepayment_vat,omitempty"`
	// EmailRequired reports whether paying online needs an e-mail for the receipt.
	EmailRequired bool `json:"email_required,omitempty"`
}

// The modes of receipts.
const (
	FullPrepayment = "full_prepayment" // a closing receipt follows when the order is handed over
	FullPayment    = "full_payment"    // none does
)

// ReceiptModes returns the allowed values of [Fiscal].Mode.
func ReceiptModes() []string { return []string{FullPrepayment, FullPayment} }

// How the tax of a prepayment is written.
const (
	CalculatedVAT = "calculated" // as a part of the sum: 22/122
	PlainVAT      = "plain"      // 22 %
)

// PrepaymentVATs returns the allowed values of [Fiscal].PrepaymentVAT.
func PrepaymentVATs() []string { return []string{CalculatedVAT, PlainVAT} }

// IsPrepayment reports whether the receipt of a payment is for a prepayment, so that a closing
// receipt follows when the order is handed over.
func (f Fiscal) IsPrepayment() bool { return f.Mode != FullPayment }

// TaxSystems returns the allowed values of [Fiscal].Tax.
func TaxSystems() []string {
	return []string{"general", "simple_income", "simple_profit", "farm", "patent"}
}

// VATs returns the allowed values of [Fiscal].VAT and DeliveryVAT.
func VATs() []string { return []string{"none", "0", "5", "7", "10", "20", "22"} }

// Consent is what a customer is asked to agree to before ordering.
type Consent struct {
	Alias string    `json:"alias"`
	Text  lang.Text `json:"text"`
	// URL is the document; empty when the text says it all.
	URL string `json:"url,omitempty"`
	// Page is the alias of the brand's page that is the document, in place of URL.
	Page string `json:"page,omitempty"`
	// Version names the text, so that it is known what was agreed to.
	Version  string `json:"version"`
	Required bool   `json:"required,omitempty"`
}

// MapView is what a map shows first.
type MapView struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	Zoom      int     `json:"zoom"`
	// BBox is south, west, north, east in degrees; all zero when content names none.
	BBox [4]float64 `json:"bbox"`
	// File has the map's tiles; nil when content names none.
	File *MapFile `json:"file,omitempty"`
}

// MapFile is a PMTiles file with the map of a city. Its bytes are not content: they are beside each process.
type MapFile struct {
	Name string `json:"name"`
	// Size is in bytes.
	Size int64 `json:"size"`
	// SHA256 is the hash of the bytes, in lower-case hexadecimal digits.
	SHA256 string `json:"sha256"`
}

// Country is shared by the brands of a content folder.
type Country struct {
	ID        int64          `json:"id"`
	Code      string         `json:"code"`
	Name      lang.Text      `json:"name"`
	Currency  money.Currency `json:"currency"`
	Phone     PhoneMask      `json:"phone"`
	Banknotes []money.Amount `json:"banknotes,omitempty"`
	CashLimit money.Amount   `json:"cash_limit,omitempty"`
	// Consents are what customers are asked to agree to before they order here.
	Consents []Consent `json:"consents,omitempty"`
	// RequiredPages are the aliases of pages that a brand must have to sell here.
	RequiredPages []string `json:"required_pages,omitempty"`
	// ProductFacts are what the law of the country wants said of products besides.
	ProductFacts []ProductFact `json:"product_facts,omitempty"`
	// OwnAddressForm is the address form that content has; empty stands for the usual one, see
	// [Country.AddressForm].
	OwnAddressForm AddressForm `json:"address_form,omitempty"`
}

// ProductFact is something that is said of a product only where its country asks for it. The set is
// closed.
type ProductFact string

// The facts of products.
const (
	Additives   ProductFact = "additives"    // colourings, caffeine
	Deposit     ProductFact = "deposit"      // what comes back with the empty bottle
	LowestPrice ProductFact = "lowest_price" // of the last 30 days, of a reduced product
	UnitPrice   ProductFact = "unit_price"   // of a kilogram or litre of what is sold packed
)

// ProductFacts returns all facts.
func ProductFacts() []ProductFact { return []ProductFact{Additives, Deposit, LowestPrice, UnitPrice} }

// Shows reports whether the country asks for a fact of products.
func (c *Country) Shows(fact ProductFact) bool { return slices.Contains(c.ProductFacts, fact) }

// PhoneMask is how a phone number is written in a country. Every # is a digit.
type PhoneMask struct {
	CountryID   int64     `json:"country_id"`
	CountryCode string    `json:"country_code"`
	CountryName lang.Text `json:"country_name"`
	Code        string    `json:"code"`
	Mask        string    `json:"mask"`
}

// Sells reports whether content has orders of the type in the city. It does not look at Stopped.
func (c *City) Sells(t OrderType) bool {
	return t == Delivery && c.Delivery || t == Takeaway && c.Takeaway
}

// Accepts reports whether content lists the payment type for orders of the type in the city.
func (c *City) Accepts(t OrderType, payment string) bool {
	return slices.Contains(c.PaymentTypes[t], payment)
}

// Offers reports whether the payment type is accepted for at least one type of order that the city sells.
func (c *City) Offers(payment string) bool {
	return slices.ContainsFunc(OrderTypes(), func(t OrderType) bool { return c.Sells(t) && c.Accepts(t, payment) })
}

// NeedsEmail reports whether an order that is paid this way needs an e-mail address for its
// receipt. In Turkey that is so with a card online, elsewhere with all online payments where
// content requires it.
func (c *City) NeedsEmail(payment string) bool {
	return c.CountryCode == "TR" && payment == CardOnline || c.Fiscal != nil && c.Fiscal.EmailRequired && IsOnline(payment)
}

// ClockChange is an instant from which on a city's clock is Hours ahead of UTC.
type ClockChange struct {
	At    time.Time
	Hours float64
}

// ClockChanges returns the changes of the city's clock from three years before now, so that times of former orders
// are known, to one year after it. They are in order; most zones have none.
func (c *City) ClockChanges(now time.Time) []ClockChange {
	var changes []ClockChange
	for at := now.AddDate(-3, 0, 0); ; {
		_, at = at.In(c.Location).ZoneBounds()
		if at.IsZero() || at.After(now.AddDate(1, 0, 0)) {
			return changes
		}
		changes = append(changes, ClockChange{At: at, Hours: c.OffsetHours(at)})
	}
}

// OffsetHours returns how many hours the city's clock is ahead of UTC at the instant.
func (c *City) OffsetHours(now time.Time) float64 {
	_, seconds := now.In(c.Location).Zone()
	return float64(seconds) / float64(time.Hour/time.Second)
}
