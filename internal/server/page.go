package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"strings"
	"time"

	"servery/internal/cart"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/server/precompressed"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// pageKey names one document: one for each site, city, page, language and port, for all
// visitors alike. All parts are of known sets, so that there are only so many.
type pageKey struct {
	site, city string
	page       wire.PageDataPage
	below      string // the page below the city, by a path that stands for all of its kind
	lang       lang.Lang
	port       string // of the address, which links to the other brands carry on
}

// pageState is what a document may follow from, and what makes the server look whether one
// that it has still shows what is so. A page without a menu has no stops in it.
type pageState struct {
	revision, stops int64
	day             clock.Day // of the city: opening times and offsets follow from it
}

func pageStateOf(key pageKey, snapshot *catalog.Snapshot, city *site.City, now time.Time) pageState {
	state := pageState{revision: snapshot.Revision}
	if key.page == wire.Home {
		state.stops = snapshot.StopsVersion
	}
	if city != nil {
		state.day = clock.DayOf(now, city.Location)
	}
	return state
}

// innerPages are the routes below a city that the page knows; by their first part.
var innerPages = map[string]bool{
	"back-to-home": true, "bonus": true, "cart": true, "delivery": true, "order": true, "profile": true, "promotions": true, "shops": true,
}

func (s *Server) rootPage(w http.ResponseWriter, r *http.Request) {
	s.page(w, r, wire.Root, nil, http.StatusOK)
}

// vkCallbackPath is where VK ID sends a visitor back to. Opening it changes nothing: the
// page says by a call of its own what the address carries.
const vkCallbackPath = "/auth/vk/callback"

// signInPage waits for a sign-in link's token, or for what VK ID has sent along. It belongs
// to no city.
func (s *Server) signInPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Referrer-Policy", "no-referrer") // the address holds what signs in
	s.page(w, r, wire.App, nil, http.StatusOK)
}

func (s *Server) homePage(w http.ResponseWriter, r *http.Request) {
	in := request.From(r.Context())
	city, ok := in.Site.CityByAlias(r.PathValue("city"))
	if !ok {
		s.page(w, r, wire.NotFound, nil, http.StatusNotFound)
		return
	}
	s.page(w, r, wire.Home, city, http.StatusOK)
}

func (s *Server) innerPage(w http.ResponseWriter, r *http.Request) {
	in := request.From(r.Context())
	city, ok := in.Site.CityByAlias(r.PathValue("city"))
	first, _, _ := strings.Cut(r.PathValue("rest"), "/")
	if first == "" && ok {
		http.Redirect(w, r, "/"+city.Alias, http.StatusPermanentRedirect) // the alias is one of content
		return
	}
	if !ok || !innerPages[first] {
		s.page(w, r, wire.NotFound, nil, http.StatusNotFound)
		return
	}
	switch {
	case isPaymentPage(r.PathValue("rest")):
		s.allowPaymentFrames(w.Header(), in.Site, city)
		fallthrough
	case first == "back-to-home":
		w.Header().Set("Referrer-Policy", "no-referrer") // nobody else is told where an order is paid
	}
	s.pageBelow(w, r, wire.App, city, framePath(r.PathValue("rest")), http.StatusOK)
}

// framePath returns a path below a city that has the same frame as the given one and is the
// same for all visitors: what an inner page shows within its frame belongs to one of them, and
// is fetched by the page.
func framePath(rest string) string {
	first, _, _ := strings.Cut(rest, "/")
	switch {
	case isPaymentPage(rest):
		return "/order/payment/-"
	case first == "order":
		return "/order/-/tracking"
	}
	return "/" + first
}

// isPaymentPage returns the page where an order is paid by its path below the city.
func isPaymentPage(rest string) bool {
	key, ok := strings.CutPrefix(rest, "order/payment/")
	return ok && key != "" && !strings.Contains(strings.TrimSuffix(key, "/"), "/")
}

// allowPaymentFrames sets the policy of the page where an order is paid. The page is a document of
// its own, so that no other is as open.
func (s *Server) allowPaymentFrames(h http.Header, brand *site.Site, city *site.City) {
	h.Set(policyHeader, s.policyOf(brand).forPaying(s.Orders, brand, city).String())
	if _, _, _, ok := s.Orders.Acquirer(brand, city, site.GooglePay); ok {
		h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups") // the wallet's window answers the page
	}
}

func (s *Server) page(w http.ResponseWriter, r *http.Request, page wire.PageDataPage, city *site.City, status int) {
	s.pageBelow(w, r, page, city, "", status)
}

// pageBelow sends the document of a page below a city. One that may not show what is so
// any more is still sent while the next one is made. A visitor waits for a document only where
// there is none, and no longer than [documentWait]: then the page renders in the browser.
func (s *Server) pageBelow(w http.ResponseWriter, r *http.Request, page wire.PageDataPage, city *site.City, below string, status int) {
	ctx := r.Context()
	in := request.From(ctx)
	now := s.clock.Now()
	key := pageKey{site: in.Site.Alias, page: page, below: below, lang: in.Lang, port: s.siteAddresses.Port(r)}
	if city != nil {
		key.city = city.Alias
	}
	state := pageStateOf(key, s.Catalog.Current(), city, now)
	answer := precompressed.Answer{Request: r, ContentType: "text/html; charset=utf-8", Status: status}
	kept := s.pages.get(key)
	if !kept.isCurrent(state, now) {
		making := s.pages.request(key, now)
		if !kept.hasBody() && making != nil {
			select {
			case <-making.done:
				kept = making.made
			case <-s.documentWait():
			case <-ctx.Done():
				return
			}
		}
	}
	var err error
	switch {
	case kept.isCurrent(state, now):
		answer.Body = kept.body
	case kept.hasBody():
		answer.Body, err = kept.marked()
		answer.Headers = passingHeaders
	default:
		answer.Body, err = s.bareDocument(ctx, key, city)
		answer.Headers = passingHeaders
	}
	if err != nil {
		s.problem(w, r, err)
		return
	}
	_ = answer.Send(w) // the caller hung up
}

// pageData returns what the page of a key shows, and until when it is so; zero for as long
// as its state. Without the menu it is made at once, whatever the city sells.
func (s *Server) pageData(ctx context.Context, key pageKey, city *site.City, withMenu bool) (wire.PageData, time.Time, error) {
	in := request.From(ctx)
	words := Localizer{in.Site, in.Lang}
	data := wire.PageData{Page: key.page, Lang: string(in.Lang), Site: s.wireSite(words, key.port), Cities: words.cityList()}
	var until time.Time
	if city == nil {
		return data, until, nil
	}
	a, err := s.findPlace(ctx, pagePlace(city))
	if err != nil {
		return data, until, err
	}
	wired := words.city(a.city, a.Snapshot, a.Now)
	data.City = &wired
	path := "/" + city.Alias + key.below
	data.Path = &path
	data.Place = &wire.Place{CityID: city.ID, OrderType: wire.OrderType(a.spot.OrderType)}
	if key.page == wire.Home && withMenu {
		until = s.menuUntil(a) // before: what is known by the end may be more than what was shown
		menu := s.wireMenu(ctx, a)
		data.Menu = &menu
	}
	return data, until, nil
}

// pagePlace is the place that a document shows to everybody: delivery by the city's
// first zone, or takeaway where there is no delivery.
func pagePlace(city *site.City) cart.PlaceRequest {
	if city.Delivery {
		return cart.PlaceRequest{CityID: city.ID, OrderType: site.Delivery}
	}
	return cart.PlaceRequest{CityID: city.ID, OrderType: site.Takeaway}
}

// compose returns the document of page data, still without the HTML of the components.
func (s *Server) compose(words Localizer, data wire.PageData, city *site.City) (document, error) {
	var b bytes.Buffer
	// The encoder escapes "<", so the text cannot end the element that holds it.
	if err := json.NewEncoder(&b).Encode(data); err != nil {
		return document{}, fmt.Errorf("encode page data: %w", err)
	}
	d := newDocument(s.manifest, string(data.Page), words.lang, words.site)
	d.Data = template.JS(bytes.TrimSpace(b.Bytes())) //nolint:gosec // encoding/json escaped it
	d.Head = words.head(data.Page, city)
	if d.Head.Canonical != "" {
		d.Head.Canonical = s.siteAddresses.Canonical(words.site) + d.Head.Canonical
	}
	d.Notice = newNotice(words, city)
	return d, nil
}

func (s Localizer) head(page wire.PageDataPage, city *site.City) head {
	args := fault.Args{"brand": s.Text(s.site.Name), "slogan": s.Text(s.site.Slogan)}
	if args["slogan"] == "" {
		args["slogan"] = args["brand"]
	}
	if city != nil {
		args["city"] = s.Text(city.Phrase)
	}
	say := func(key string) string { return s.Message(fault.Message{Key: key, Args: args}) }
	switch page {
	case wire.Root:
		return head{Title: say("page.root_title"), Description: say("page.root_description"), Canonical: "/"}
	case wire.Home:
		return head{Title: say("page.home_title"), Description: say("page.home_description"), Canonical: "/" + city.Alias}
	case wire.App:
		return head{Title: say("page.app_title")}
	case wire.NotFound:
		return head{Title: say("page.not_found_title")}
	}
	return head{}
}

func (s *Server) wireSite(words Localizer, port string) wire.Site {
	st := words.site
	w := wire.Site{
		Alias: st.Alias, Name: words.Text(st.Name), Theme: st.Theme, Slogan: words.optional(st.Slogan),
		Logo: orNil(st.Logo), LogoDark: orNil(st.LogoDark), Phone: orNil(st.Phone), Email: orNil(st.Email),
		Languages: []string{}, Links: []wire.SiteLink{}, Brands: []wire.BrandLink{}, DefaultLanguage: string(st.DefaultLanguage), ShowLangButton: st.Settings.ShowLangButton,
		IsAuthEnabled: st.Settings.IsAuthEnabled, GuestOrders: st.Settings.GuestsOrder(), CodeLength: st.Settings.CodeLength,
		NotificationChannels: s.channels(st), Captcha: s.wireCaptcha(st), EnableFractionalPrices: st.Settings.EnableFractionalPrices,
		ShowPopularProductGroups: st.Settings.ShowPopularProductGroups,
		MapTiles:                 st.Settings.MapTiles, MapAttribution: orNil(st.Settings.MapAttribution),
	}
	for _, l := range st.Languages {
		w.Languages = append(w.Languages, string(l))
	}
	for _, l := range st.Links {
		w.Links = append(w.Links, wire.SiteLink{Kind: l.Kind, URL: l.URL, Text: words.Text(l.Text)})
	}
	for _, other := range s.Catalog.Current().Sites.All() {
		if other.Alias == st.Alias || len(other.Hosts) == 0 {
			continue
		}
		host := other.Hosts[0]
		if port != "" {
			host = net.JoinHostPort(host, port)
		}
		w.Brands = append(w.Brands, wire.BrandLink{Name: words.Text(other.Name), URL: "//" + host})
	}
	return w
}

// media serves a picture; its name is the hash of its bytes.
func (s *Server) media(w http.ResponseWriter, r *http.Request) {
	m, err := s.Catalog.Media(r.Context(), r.PathValue("name"))
	if err != nil {
		s.problem(w, r, err)
		return
	}
	if strings.HasPrefix(m.Type, "image/svg") {
		// Content is trusted to look right, not to run: an SVG opened by itself may not.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	}
	sendFile(w, r, m.Type, m.Body)
}

// robots keeps what belongs to one visitor out of search engines.
func robots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("User-agent: *\nDisallow: /api/\nDisallow: /*/cart\nDisallow: /*/order/\nDisallow: /*/back-to-home\nDisallow: /*/profile\nDisallow: /auth/\n"))
}

func (s *Server) unknownCall(w http.ResponseWriter, r *http.Request) {
	s.problem(w, r, fault.New(fault.NotFound, "common.not_found"))
}
