package cart

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"servery/internal/catalog"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/money"
	"servery/internal/schedule"
	"servery/internal/site"
)

// The types of this file are values of messages that are formatted only when the message is read: a
// cart is priced more often than its messages are read.

// noBreak keeps a number and what belongs to it on one line.
const noBreak = "\u00a0"

// lazyMessage is a message within another one.
type lazyMessage struct {
	message fault.Message
	lang    lang.Lang
}

// String returns the text of the message.
func (s lazyMessage) String() string { return lang.T(s.lang, s.message.Key, s.message.Args) }

// LocalizedName is the name of something in content, in one language.
type LocalizedName struct {
	brand *site.Site
	name  lang.Text
	lang  lang.Lang
}

// String returns the name in the customer's language.
func (n LocalizedName) String() string { return n.brand.Text(n.name, n.lang) }

// itemNames are the names of products and groups, any of which an offer asks for or is for.
type itemNames struct {
	brand    *site.Site
	products []*catalog.Product
	groups   []*catalog.Group
	lang     lang.Lang
}

// String returns the names, separated by commas. Products that are not sold here are left out,
// unless nothing else is named.
func (s itemNames) String() string {
	var names []string
	for _, p := range s.products {
		if p.IsSold() {
			names = append(names, s.brand.Text(p.Name, s.lang))
		}
	}
	for _, g := range s.groups {
		names = append(names, s.brand.Text(g.Name, s.lang))
	}
	if len(names) == 0 {
		for _, p := range s.products {
			names = append(names, s.brand.Text(p.Name, s.lang))
		}
	}
	return strings.Join(names, ", ")
}

// FormatMoney returns an amount in a city's currency as the language writes it.
func FormatMoney(amount money.Amount, city *site.City, brand *site.Site, l lang.Lang) string {
	return lazyMoney{amount, city, brand, l}.String()
}

// lazyMoney is an amount in a city's currency, written exactly as the page writes it
// (web/src/lib/money.ts).
type lazyMoney struct {
	amount money.Amount
	city   *site.City
	brand  *site.Site
	lang   lang.Lang
}

// String returns the amount in the form of the language: "1 234,50 ₽", "$1,234.50".
func (p lazyMoney) String() string {
	groupSeparator, decimalPoint, isSignFirst := noBreak, ",", false
	switch p.lang {
	case lang.EN:
		groupSeparator, decimalPoint, isSignFirst = ",", ".", true
	case lang.DE:
		groupSeparator = "."
	case lang.TR:
		groupSeparator, isSignFirst = ".", true
	case lang.RU, lang.UK, lang.UZ:
	}
	digits := strconv.FormatInt(int64(p.amount/money.Scale), 10)
	for position := len(digits) - 3; position > 0; position -= 3 {
		digits = digits[:position] + groupSeparator + digits[position:]
	}
	hasDecimals := p.brand.Settings.EnableFractionalPrices && p.city.Currency.Unit() < money.Scale
	if minor := p.amount % money.Scale; minor != 0 || hasDecimals {
		digits += decimalPoint + string([]byte{byte('0' + minor/10), byte('0' + minor%10)})
	}
	sign := p.city.Currency.SymbolFor(string(p.lang))
	if !isSignFirst {
		return digits + noBreak + sign
	}
	if last, _ := utf8.DecodeLastRuneInString(sign); unicode.IsLetter(last) {
		sign += noBreak // a word before a number needs a space, a sign does not
	}
	return sign + digits
}

// lazyWindow are the hours and days of a window: "from 12:00 to 16:00, Mon–Fri".
type lazyWindow struct {
	window catalog.Window
	lang   lang.Lang
}

// String returns the hours and the days that the window names, separated by commas.
func (h lazyWindow) String() string {
	var parts []string
	for _, span := range h.window.Hours {
		ends := fault.Args{"from": schedule.FormatClock(span.From), "to": schedule.FormatClock(span.To)}
		parts = append(parts, lang.T(h.lang, "date.from_to", ends))
	}
	return strings.Join(append(parts, h.formatDays()...), ", ")
}

// formatDays returns the weekdays of the window in short form. Three and more in a row are one
// range, as "Mon–Fri".
func (h lazyWindow) formatDays() []string {
	short := func(day int) string { return lang.T(h.lang, "date.short_"+strconv.Itoa(day), nil) }
	var parts []string
	for days := h.window.Days; len(days) > 0; {
		run := 1
		for run < len(days) && days[run] == days[0]+run {
			run++
		}
		if run >= 3 {
			parts = append(parts, short(days[0])+"–"+short(days[run-1]))
		} else {
			for _, day := range days[:run] {
				parts = append(parts, short(day))
			}
		}
		days = days[run:]
	}
	return parts
}
