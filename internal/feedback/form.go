// Package feedback stores what visitors send to the brand and delivers it: questions and requests to
// the brand's people, and to phones the notice that a place is delivered to now.
package feedback

import (
	"net/mail"
	"strconv"
	"strings"

	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/phone"
	"servery/internal/site"
)

// Kind is what a form is for. The set is closed; the values are stored and sent.
type Kind string

// The kinds of forms.
const (
	Question      Kind = "question"
	CallMeBack    Kind = "call_me_back"
	Landlord      Kind = "landlord"
	Supplier      Kind = "supplier"
	ReturnRequest Kind = "return_request"
)

// Agreement is the version of the text that visitors agree to when they send a form.
const Agreement = "2026-11-24-forms"

// Fields are what a form has besides name and phone. Each kind of form has some of them.
type Fields struct {
	Email           string  `json:"email,omitempty"`
	Message         string  `json:"message,omitempty"`
	CityName        string  `json:"city_name,omitempty"`
	Company         string  `json:"company,omitempty"`
	ProductCategory string  `json:"product_category,omitempty"`
	Shop            string  `json:"shop,omitempty"`
	Square          float64 `json:"square,omitempty"`
	OrderID         int64   `json:"order_id,omitempty"`
	// Wish is return or exchange.
	Wish string `json:"wish,omitempty"`
}

// Form is a form as a visitor wrote it.
type Form struct {
	Kind Kind
	// CityID is the city that the visitor sees; 0 where there is none.
	CityID      int64
	Name, Phone string
	Fields      Fields
	// IsAgreed says that the visitor agrees to the processing of what they write.
	IsAgreed bool
}

// longestEmail is how long an e-mail address can be.
const longestEmail = 254

// Check returns the form without spaces around its texts and with the phone as digits. Faults:
// cart.unknown_city (NotFound); feedback.check (Invalid) with the reason at each field that is
// wrong.
func (f Form) Check(brand *site.Site) (Form, error) {
	var city *site.City
	if f.CityID != 0 {
		found, ok := brand.City(f.CityID)
		if !ok {
			return f, fault.New(fault.NotFound, "cart.unknown_city")
		}
		city = found
	}
	var wrong []fault.Option
	add := func(field, key string) { wrong = append(wrong, fault.Field(field, key)) }
	for _, text := range f.texts() {
		if *text.at = strings.TrimSpace(*text.at); text.field != "message" {
			*text.at = lang.OneLine(*text.at)
		}
		if text.isRequired && *text.at == "" {
			add(text.field, text.missing)
		}
	}
	digits, err := readPhone(f.Phone, brand, city)
	if err != nil {
		add("phone", fault.KeyOf(err))
	}
	f.Phone = digits
	if f.Fields.Email != "" && !isEmail(f.Fields.Email) {
		add("email", "customer.email_invalid")
	}
	if !f.IsAgreed {
		add("is_agreed", "feedback.agree")
	}
	if len(wrong) > 0 {
		return f, fault.New(fault.Invalid, "feedback.check", wrong...)
	}
	return f, nil
}

// text is one of the texts of a form.
type text struct {
	field      string
	at         *string
	isRequired bool
	// missing is the message where a required text is empty.
	missing string
}

// texts returns the texts of the form. isRequired is set for those that its kind must have.
func (f *Form) texts() []text {
	const required = "common.required"
	fields := &f.Fields
	return []text{
		{"name", &f.Name, true, "order.name_required"},
		{"email", &fields.Email, f.Kind == Question, required},
		{"message", &fields.Message, f.Kind == Question || f.Kind == ReturnRequest, required},
		{"city_name", &fields.CityName, f.Kind == Landlord || f.Kind == Supplier, required},
		{"shop", &fields.Shop, f.Kind == Landlord, required},
		{"company", &fields.Company, f.Kind == Supplier, required},
		{"product_category", &fields.ProductCategory, f.Kind == Supplier, required},
	}
}

// readPhone returns a phone as digits with the country code. Without a city, the text itself must
// have that code.
func readPhone(text string, brand *site.Site, city *site.City) (string, error) {
	if city == nil {
		return phone.ParseFull(text, brand)
	}
	return phone.Parse(text, city)
}

// isEmail reports whether a text is an e-mail address and nothing else, at a host with a dot in its
// name.
func isEmail(text string) bool {
	a, err := mail.ParseAddress(text)
	if err != nil || a.Address != text || len(text) > longestEmail {
		return false
	}
	_, host, _ := strings.Cut(text, "@")
	return strings.Contains(strings.Trim(host, "."), ".")
}

// Summary returns the form for people, as subject and text in a language: a line for each field
// that is filled.
func (f Form) Summary(brand *site.Site, l lang.Lang) (subject, body string) {
	title := lang.T(l, "feedback.kind_"+string(f.Kind), nil)
	subject = lang.T(l, "feedback.mail_subject", fault.Args{"brand": brand.Text(brand.Name, l), "kind": title, "name": f.Name})
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			b.WriteString(lang.T(l, "feedback.field_"+key, nil) + ": " + value + "\n")
		}
	}
	b.WriteString(title + "\n\n")
	line("name", f.Name)
	line("phone", "+"+f.Phone)
	line("email", f.Fields.Email)
	if city, ok := brand.City(f.CityID); ok {
		line("site_city", brand.Text(city.Name, l))
	}
	line("city_name", f.Fields.CityName)
	line("company", f.Fields.Company)
	line("product_category", f.Fields.ProductCategory)
	line("shop", f.Fields.Shop)
	line("square", formatNumber(f.Fields.Square))
	line("order_id", formatNumber(float64(f.Fields.OrderID)))
	if f.Fields.Wish != "" {
		line("wish", lang.T(l, "feedback.wish_"+f.Fields.Wish, nil))
	}
	line("message", f.Fields.Message)
	return subject, b.String()
}

// formatNumber returns a number without needless zeros, nothing for 0.
func formatNumber(n float64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
