package page

import (
	"cmp"
	"slices"
	"strings"

	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// head is what a document says of itself to browsers and search engines.
type head struct {
	Title, Description string
	// Canonical is absolute when the settings name the public address; empty keeps the
	// page out of indexes.
	Canonical string
	// Alternates are the addresses of the page in all languages.
	Alternates []alternate
	// Card is what the page is shown with where people share it; nil where it has no address.
	Card *card
}

// card is what a link is shown with where people share it, in the words of the Open Graph protocol.
type card struct {
	SiteName, Locale, Title, Description, URL string
	// Picture is nil where there is none.
	Picture *cardPicture
}

// cardPicture is the picture of a card.
type cardPicture struct {
	URL, Text     string
	Width, Height int
}

// newHead returns the head of the page at a path below its city. A page that search engines must not list
// has no canonical address, no alternates and no card.
func newHead(texts convert.Localizer, to addresses, data wire.PageData, city *site.City, below string) head {
	st := texts.Site
	args := fault.Args{"brand": texts.Text(st.Name), "slogan": texts.Text(st.Slogan)}
	if args["slogan"] == "" {
		args["slogan"] = args["brand"]
	}
	path := cmp.Or(below, "/")
	if city != nil {
		args["city"] = texts.Text(city.Phrase)
		path = "/" + city.Alias + below
	}
	say := func(key string) string { return texts.Message(fault.Message{Key: key, Args: args}) }
	h := head{}
	switch data.Page {
	case wire.Root:
		h.Title, h.Description = say("page.root_title"), say("page.root_description")
	case wire.Home:
		h.Title, h.Description = say("page.home_title"), say("page.home_description")
	case wire.App:
		return head{Title: say(personalTitleKey(below))}
	case wire.Public:
		if data.Content != nil {
			args["title"] = data.Content.Title
		}
		alias := strings.TrimPrefix(below, "/")
		h.Title, h.Description = publicTitle(say, data.Content, alias, city)
		if !slices.Contains(st.ListPages(city), alias) {
			return h
		}
	case wire.NotFound:
		return head{Title: say("page.not_found_title")}
	}
	h.Canonical, h.Alternates = to.inLanguage(path, texts.Lang), to.alternates(path, city)
	h.Card = newCard(texts, h, to.base, city)
	return h
}

// newCard returns the card of a page with the brand's picture.
func newCard(texts convert.Localizer, h head, base string, city *site.City) *card {
	c := card{SiteName: texts.Text(texts.Site.Name), Locale: localeOf(texts.Lang, city), Title: h.Title, Description: h.Description, URL: h.Canonical}
	if p := texts.Site.Share; p != nil {
		c.Picture = &cardPicture{URL: base + p.Src, Text: c.SiteName, Width: p.Width, Height: p.Height}
	}
	return &c
}

// localeOf returns the language with a country: the country of the city or, when city is nil, the country
// where most people speak the language.
func localeOf(l lang.Lang, city *site.City) string {
	region := map[lang.Lang]string{lang.RU: "RU", lang.EN: "US", lang.TR: "TR", lang.UZ: "UZ", lang.DE: "DE", lang.UK: "UA"}[l]
	if city != nil {
		region = city.CountryCode
	}
	return string(l) + "_" + region
}

// personalTitleKey returns the key of the title of a page that belongs to one visitor.
func personalTitleKey(below string) string {
	first, rest, _ := strings.Cut(strings.TrimPrefix(below, "/"), "/")
	switch {
	case first == "order" && strings.HasPrefix(rest, "payment/"):
		return "page.payment_title"
	case first == "order":
		return "page.order_title"
	case first == "cart":
		return "page.cart_title"
	case first == "profile":
		return "page.profile_title"
	case first == "back-to-home":
		return "page.payment_title"
	}
	return "page.sign_in_title"
}

// publicTitle returns title and description of a page that is the same for all visitors: of one of the
// program's own pages, or of a page of words. content is what the brand has written for the page, or nil; its
// description is used where there is one. city is nil for a page outside of the cities. say returns the message
// of a key, with the arguments brand, city and the title of the content.
func publicTitle(say func(key string) string, content *wire.Page, alias string, city *site.City) (title, description string) {
	switch {
	case site.IsPublicPage(alias):
		title, description = say("page."+alias+"_title"), say("page."+alias+"_description")
	case city == nil:
		title = say("page.words_title")
	default:
		title = say("page.words_in_city_title")
	}
	if content != nil && content.Description != nil {
		description = *content.Description
	}
	return title, description
}
