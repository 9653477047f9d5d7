package page

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/lang"
	"servery/internal/server/precompressed"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// documentKey names one document: one for each site, city, page, language and port, for all
// visitors alike. All parts are of known sets, so that there are only so many.
type documentKey struct {
	site, city string
	page       wire.PageDataPage
	below      string // the page below the city, by a path that stands for all of its kind
	lang       lang.Lang
	port       string // of the address, which links to the other brands have too
}

// documentState is what a document may follow from. When it changes, the server checks whether the
// document that it has is still right.
type documentState struct {
	revision, live int64
	day            clock.Day // of the city: opening times, offsets and festive colours follow from it
}

// stateOf returns what a document depends on at this instant: the revision, the version of the stops, prices
// and alerts that are set over it, and the day in the city. city is nil for a page of no city.
func stateOf(snapshot *catalog.Snapshot, st *site.Site, city *site.City, now time.Time) documentState {
	return documentState{revision: snapshot.Revision, live: snapshot.LiveVersion, day: dayOf(now, st, city)}
}

// dayOf returns the day in a city; for a page of no city, the day in the brand's first city.
func dayOf(now time.Time, st *site.Site, city *site.City) clock.Day {
	if city == nil {
		city = st.Cities[0]
	}
	return clock.DayOf(now, city.Location)
}

// ServeRoot answers GET / with the page where a city is chosen. Where the brand has one city alone, it redirects to the
// home page there; not for good, as the brand may open in a second one.
func (s *Server) ServeRoot(w http.ResponseWriter, r *http.Request) {
	if city, ok := request.From(r.Context()).Site.OnlyCity(); ok {
		home := url.URL{Path: "/" + city.Alias, RawQuery: r.URL.RawQuery} // the alias is one of content
		http.Redirect(w, r, home.String(), http.StatusFound)
		return
	}
	s.sendPage(w, r, wire.Root, nil, http.StatusOK)
}

// ServeSignIn answers with the page that reads the token of a sign-in link or the return from
// VK ID. It belongs to no city.
func (s *Server) ServeSignIn(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Referrer-Policy", "no-referrer") // the address holds what signs in
	s.sendPage(w, r, wire.App, nil, http.StatusOK)
}

// ServeHome answers GET /{city} with the home page of a city, or with a page that the brand has written for
// no city. Any other path gets the page of unknown addresses.
func (s *Server) ServeHome(w http.ResponseWriter, r *http.Request) {
	in := request.From(r.Context())
	alias := r.PathValue("city")
	if city, ok := in.Site.CityByAlias(alias); ok {
		s.sendPage(w, r, wire.Home, city, http.StatusOK)
		return
	}
	if _, ok := in.Site.Page(alias, nil); ok {
		s.sendDocument(w, r, wire.Public, nil, "/"+alias, http.StatusOK)
		return
	}
	s.sendPage(w, r, wire.NotFound, nil, http.StatusNotFound)
}

// ServeInner answers GET /{city}/{rest} with a page of a city below its home page: a public page, or the
// frame of a personal page. It redirects an empty rest to the home page, and a page of an order in a city that
// content no longer has, or has under another alias, to the same page in the brand's first city. Any other path gets
// the page of unknown addresses. The page of a payment also gets the policy that allows banks' frames. No other
// site learns its address, nor that of the page to which banks send customers back.
func (s *Server) ServeInner(w http.ResponseWriter, r *http.Request) {
	in := request.From(r.Context())
	city, ok := in.Site.CityByAlias(r.PathValue("city"))
	first, _, _ := strings.Cut(r.PathValue("rest"), "/")
	if first == "" && ok {
		home := url.URL{Path: "/" + city.Alias, RawQuery: r.URL.RawQuery} // the alias is one of content
		http.Redirect(w, r, home.String(), http.StatusPermanentRedirect)
		return
	}
	if !ok && first == "order" { // links to orders are in messages, which stay
		there := url.URL{Path: "/" + in.Site.Cities[0].Alias + "/" + r.PathValue("rest"), RawQuery: r.URL.RawQuery}
		w.Header().Set("Referrer-Policy", "no-referrer") // the query may have the secret of the link
		http.Redirect(w, r, there.String(), http.StatusFound)
		return
	}
	if ok && isPublic(in.Site, city, r.PathValue("rest")) {
		s.sendDocument(w, r, wire.Public, city, framePath(r.PathValue("rest")), http.StatusOK)
		return
	}
	if !ok || !site.IsPersonalPage(first) {
		s.sendPage(w, r, wire.NotFound, nil, http.StatusNotFound)
		return
	}
	switch {
	case isPaymentPage(r.PathValue("rest")):
		s.allowPaymentFrames(w.Header(), in.Site, city)
		fallthrough
	case first == "back-to-home":
		w.Header().Set("Referrer-Policy", "no-referrer") // no other site learns where an order is paid
	}
	s.sendDocument(w, r, wire.App, city, framePath(r.PathValue("rest")), http.StatusOK)
}

// isPublic reports whether a path below a city leads to a page that is the same for all visitors.
func isPublic(st *site.Site, city *site.City, rest string) bool {
	alias := strings.TrimSuffix(rest, "/")
	_, isWritten := st.Page(alias, city)
	return isWritten || site.IsPublicPage(alias)
}

// framePath returns a path below a city that stands for all paths with the same frame. The
// frame of an inner page is the same for all visitors; what is inside belongs to one of them
// and is fetched by the page.
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

// isPaymentPage reports whether a path below the city leads to the page where an order is paid.
func isPaymentPage(rest string) bool {
	key, ok := strings.CutPrefix(rest, "order/payment/")
	return ok && key != "" && !strings.Contains(strings.TrimSuffix(key, "/"), "/")
}

// sendPage sends the document of a page that has no path below its city.
func (s *Server) sendPage(w http.ResponseWriter, r *http.Request, page wire.PageDataPage, city *site.City, status int) {
	s.sendDocument(w, r, page, city, "", status)
}

// sendDocument sends the document of a page below a city. While the next document is made, it sends the
// outdated one with a mark, so that the page asks for its data again. Only without any document does the
// visitor wait, at most for [documentWait]. After that they get a document that renders in the browser.
func (s *Server) sendDocument(w http.ResponseWriter, r *http.Request, page wire.PageDataPage, city *site.City, below string, status int) {
	ctx := r.Context()
	in := request.From(ctx)
	now := s.clock.Now()
	key := documentKey{site: in.Site.Alias, page: page, below: below, lang: in.Lang, port: s.siteAddresses.Port(r)}
	if city != nil {
		key.city = city.Alias
	}
	state := stateOf(s.catalog.Current(), in.Site, city, now)
	answer := precompressed.Answer{Request: r, ContentType: "text/html; charset=utf-8", Status: status}
	kept := s.documents.get(key)
	if !kept.isCurrent(state, now) {
		job := s.documents.requestDocument(key, now)
		if !kept.hasBody() && job != nil {
			select {
			case <-job.done:
				kept = job.made
			case <-s.documentWait():
			case <-ctx.Done():
				return
			}
		}
	}
	var err error
	switch {
	case kept.isCurrent(state, now):
		answer.Body, err = s.withCard(r, key, city, kept.body)
	case kept.hasBody():
		answer.Body, err = kept.withStaleMark()
		answer.Caching = uncached
	default:
		answer.Body, err = s.bareDocument(ctx, key, city)
		answer.Caching = uncached
	}
	if err != nil {
		s.problem(w, r, err)
		return
	}
	_ = answer.Send(w) // it usually fails because the client has closed the connection
}
