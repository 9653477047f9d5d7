package page

import (
	"strings"

	"servery/internal/fault"
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
}

// newHead returns the head of the page at a path below its city. Canonical is only the path.
func newHead(texts convert.Localizer, st *site.Site, data wire.PageData, city *site.City, below string) head {
	args := fault.Args{"brand": texts.Text(st.Name), "slogan": texts.Text(st.Slogan)}
	if args["slogan"] == "" {
		args["slogan"] = args["brand"]
	}
	address := below
	if city != nil {
		args["city"] = texts.Text(city.Phrase)
		address = "/" + city.Alias + below
	}
	say := func(key string) string { return texts.Message(fault.Message{Key: key, Args: args}) }
	switch data.Page {
	case wire.Root:
		return head{Title: say("page.root_title"), Description: say("page.root_description"), Canonical: "/"}
	case wire.Home:
		return head{Title: say("page.home_title"), Description: say("page.home_description"), Canonical: address}
	case wire.App:
		return head{Title: say(personalTitle(below))}
	case wire.Public:
		return publicHead(say, args, data.Content, address)
	case wire.NotFound:
		return head{Title: say("page.not_found_title")}
	}
	return head{}
}

// personalTitle returns the key of the title of a page that belongs to one visitor.
func personalTitle(below string) string {
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

// publicHead returns the head of a page that is the same for all visitors. The brand's words name a
// page of words, and describe any page.
func publicHead(say func(key string) string, args fault.Args, content *wire.Page, address string) head {
	h := head{Canonical: address}
	alias := address[strings.LastIndexByte(address, '/')+1:]
	switch {
	case site.IsPublicPage(alias):
		h.Title, h.Description = say("page."+alias+"_title"), say("page."+alias+"_description")
	case args["city"] == nil:
		args["title"] = content.Title
		h.Title = say("page.words_title")
	default:
		args["title"] = content.Title
		h.Title = say("page.words_in_city_title")
	}
	if content != nil && content.Description != nil {
		h.Description = *content.Description
	}
	return h
}
