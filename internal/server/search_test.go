package server_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	demo "servery/content"
	"servery/internal/content"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/server"
	"servery/internal/site"
)

// searchEngine reads the demo as search engines do: no cookie, no language.
type searchEngine struct {
	t      *testing.T
	server http.Handler
}

// newSearchEngine returns a search engine and its server, which has the demo and sends documents without the
// HTML of components.
func newSearchEngine(t *testing.T) (searchEngine, *edge) {
	t.Helper()
	e := newEdgeWith(t, dbtest.Open(t, db.SQLite), nil, func(o *server.Options) { o.PublicURL = "https://sushi.example" })
	if _, err := content.Import(t.Context(), e.DB, demo.Demo(), content.Options{Now: e.Clock.Now()}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Catalog.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := &renderer{}
	e.server.SetRender(r.render)
	e.server.SetDocumentWait(endedWait())
	r.gate.Lock()
	t.Cleanup(func() { r.gate.Unlock(); e.server.Drain(); e.server.AwaitDocuments() })
	return searchEngine{t, e.server}, e
}

// get returns the status and the text at an address.
func (s searchEngine) get(address string) (int, string) {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, address, nil)
	w := httptest.NewRecorder()
	s.server.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// originOf returns the origin by which search engines know a brand of the demo.
func originOf(brand *site.Site) string {
	if brand.Default {
		return "https://sushi.example"
	}
	return "https://" + brand.Hosts[0]
}

// mapped is a page in a map of the site, with its alternates by language.
type mapped struct {
	changed    string
	alternates map[string]string
}

// readSitemaps returns all pages of a brand's maps, by address, and how many maps there are.
func (s searchEngine) readSitemaps(host string) (pages map[string]mapped, count int) {
	s.t.Helper()
	var index struct {
		Maps []struct {
			Loc     string `xml:"loc"`
			LastMod string `xml:"lastmod"`
		} `xml:"sitemap"`
	}
	s.readXML(host+"/sitemap.xml", &index)
	pages = map[string]mapped{}
	for _, m := range index.Maps {
		var set struct {
			URLs []struct {
				Loc     string `xml:"loc"`
				LastMod string `xml:"lastmod"`
				Links   []struct {
					Rel  string `xml:"rel,attr"`
					Lang string `xml:"hreflang,attr"`
					Href string `xml:"href,attr"`
				} `xml:"http://www.w3.org/1999/xhtml link"`
			} `xml:"url"`
		}
		s.readXML(m.Loc, &set)
		for _, u := range set.URLs {
			page := mapped{u.LastMod, map[string]string{}}
			for _, l := range u.Links {
				page.alternates[l.Lang] = l.Href
			}
			if _, twice := pages[u.Loc]; twice {
				s.t.Errorf("%s is in the maps twice", u.Loc)
			}
			pages[u.Loc] = page
		}
	}
	return pages, len(index.Maps)
}

// readXML decodes the XML at an address, which must exist.
func (s searchEngine) readXML(address string, into any) {
	s.t.Helper()
	status, text := s.get(address)
	if status != http.StatusOK {
		s.t.Fatalf("%s: %d %s", address, status, text)
	}
	if err := xml.Unmarshal([]byte(text), into); err != nil {
		s.t.Fatalf("%s: %v", address, err)
	}
}

var (
	canonicalLink = regexp.MustCompile(`<link rel="canonical" href="([^"]*)">`)
	alternateLink = regexp.MustCompile(`<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">`)
	titleText     = regexp.MustCompile(`<title>([^<]*)</title>`)
	describedText = regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`)
)

// alternatesIn returns the alternates of a document by language.
func alternatesIn(document string) map[string]string {
	all := map[string]string{}
	for _, m := range alternateLink.FindAllStringSubmatch(document, -1) {
		all[m[1]] = html.UnescapeString(m[2])
	}
	return all
}

// It reads the maps of all hosts, cities, languages and pages of the demo.
func TestSitemaps_haveExactlyThePagesForSearchEngines(t *testing.T) {
	t.Parallel()
	s, e := newSearchEngine(t)
	for _, brand := range e.Catalog.Current().Sites.All() {
		host := originOf(brand)
		pages, count := s.readSitemaps(host)
		if count != len(brand.Cities)+1 {
			t.Errorf("%s has %d maps for %d cities", brand.Alias, count, len(brand.Cities))
		}
		if _, robots := s.get(host + "/robots.txt"); !strings.Contains(robots, "\nSitemap: "+host+"/sitemap.xml\n") {
			t.Errorf("%s: robots.txt names no map: %s", brand.Alias, robots)
		}
		titles := map[string]string{}
		for i, address := range slices.Sorted(maps.Keys(pages)) {
			page := pages[address]
			s.checkAlternates(brand, pages, address, page)
			if page.changed != e.Clock.Now().Format(time.RFC3339) {
				t.Errorf("%s was changed %s", address, page.changed)
			}
			// The languages of a page follow each other, so each fifth address reads the pages in turn in
			// all languages.
			if i%5 == 0 {
				s.checkDocument(brand, address, page, titles)
			}
		}
		s.checkNothingIsMissing(brand, pages)
	}
}

// checkDocument checks that the document at an address has the canonical address and the alternates of the
// map, and a title that no other page has.
func (s searchEngine) checkDocument(brand *site.Site, address string, page mapped, titles map[string]string) {
	s.t.Helper()
	status, text := s.get(address)
	canonical := canonicalLink.FindStringSubmatch(text)
	if status != http.StatusOK || canonical == nil || html.UnescapeString(canonical[1]) != address || strings.Contains(text, "noindex") {
		s.t.Errorf("%s: %d, canonical %v", address, status, canonical)
		return
	}
	if got := alternatesIn(text); fmt.Sprint(got) != fmt.Sprint(page.alternates) {
		s.t.Errorf("%s: the document has the alternates %v, the map %v", address, got, page.alternates)
	}
	title := titleText.FindStringSubmatch(text)[1] + address[strings.IndexByte(address+"?", '?'):]
	if other, twice := titles[title]; twice {
		s.t.Errorf("%s and %s are both called %s", other, address, title)
	}
	titles[title] = address
	s.checkDescribed(brand, address, text)
}

// checkAlternates checks that a page has an alternate for each language of the brand and for all others, that
// it is one of them, that each alternate has the same alternates, and that those in a city are for its country.
func (s searchEngine) checkAlternates(brand *site.Site, pages map[string]mapped, address string, page mapped) {
	s.t.Helper()
	if len(page.alternates) != len(brand.Languages)+1 || page.alternates["x-default"] == "" {
		s.t.Errorf("%s has the alternates %v", address, page.alternates)
	}
	isNamed := false
	for lang, other := range page.alternates {
		isNamed = isNamed || other == address
		if fmt.Sprint(pages[other].alternates) != fmt.Sprint(page.alternates) {
			s.t.Errorf("%s names %s in %s, which names %v", address, other, lang, pages[other].alternates)
		}
		path := strings.TrimPrefix(address, originOf(brand))
		alias, _, _ := strings.Cut(strings.TrimPrefix(strings.SplitN(path, "?", 2)[0], "/"), "/")
		if city, ok := brand.CityByAlias(alias); ok && lang != "x-default" && !strings.HasSuffix(lang, "-"+city.CountryCode) {
			s.t.Errorf("%s is for %s, the prices are those of %s", address, lang, city.CountryCode)
		}
	}
	if !isNamed {
		s.t.Errorf("%s does not name itself: %v", address, page.alternates)
	}
}

// checkDescribed checks what a document says in the words of schema.org.
func (s searchEngine) checkDescribed(brand *site.Site, address, document string) {
	s.t.Helper()
	var graph struct {
		Nodes []map[string]any `json:"@graph"`
	}
	m := describedText.FindStringSubmatch(document)
	if m == nil || json.Unmarshal([]byte(m[1]), &graph) != nil {
		s.t.Errorf("%s says nothing to search engines: %v", address, m)
		return
	}
	path, _, _ := strings.Cut(strings.TrimPrefix(address, originOf(brand)+"/"), "?")
	alias, rest, _ := strings.Cut(path, "/")
	city, isInCity := brand.CityByAlias(alias)
	count := map[string]int{}
	for _, node := range graph.Nodes {
		count[node["@type"].(string)]++
		if node["@type"] == "Restaurant" {
			_, takesOrders := node["potentialAction"]
			for _, field := range []string{"address", "geo", "telephone", "openingHoursSpecification", "servesCuisine", "priceRange", "hasMenu", "image"} {
				if node[field] == nil || node[field] == "" {
					s.t.Errorf("%s: a restaurant without %s: %v", address, field, node)
				}
			}
			if city == nil || city.Stopped && takesOrders || node["acceptsReservations"] != false {
				s.t.Errorf("%s: %v", address, node)
			}
		}
	}
	if count["Organization"] != 1 || (count["BreadcrumbList"] == 1) != (path != "") {
		s.t.Errorf("%s has %v", address, count)
	}
	if rest == "shops" && isInCity && count["Restaurant"] == 0 || rest != "shops" && count["Restaurant"] > 0 {
		s.t.Errorf("%s of %v has %d restaurants", address, city, count["Restaurant"])
	}
}

// checkNothingIsMissing checks that exactly the pages of a city with a canonical address are in the maps.
func (s searchEngine) checkNothingIsMissing(brand *site.Site, pages map[string]mapped) {
	s.t.Helper()
	aliases := []string{"bonus", "delivery", "promotions", "shops", "cart", "profile", "nowhere"}
	for _, p := range brand.Pages {
		aliases = append(aliases, p.Alias)
	}
	for _, city := range brand.Cities {
		for _, alias := range aliases {
			address := originOf(brand) + "/" + city.Alias + "/" + alias
			_, text := s.get(address)
			_, isMapped := pages[address]
			if isNamed := canonicalLink.MatchString(text); isNamed != isMapped || isNamed == strings.Contains(text, `content="noindex"`) {
				s.t.Errorf("%s: in the maps %t, with an address %t", address, isMapped, isNamed)
			}
		}
	}
}

// A brand of one city has nothing to choose at its root, which leads to that city and is no page for search engines.
func TestRoot_ofABrandOfOneCityLeadsThere(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, query := range []string{"", "?lang=de&utm_source=flyer"} {
		a := b.call("GET", "/"+query, nil, "Host", "pizza.localhost")
		if a.status != http.StatusFound || a.header.Get("Location") != "/berlin"+query {
			t.Errorf("%q: %d to %q", query, a.status, a.header.Get("Location"))
		}
	}
	if a := b.call("GET", "/", nil); a.status != http.StatusOK {
		t.Errorf("the root of a brand of two cities: %d", a.status)
	}
	for _, path := range []string{"/sitemap.xml", "/sitemap/-brand.xml", "/sitemap/berlin.xml"} {
		text := b.call("GET", path, nil, "Host", "pizza.localhost").text
		for _, root := range []string{"pizza.localhost/<", "pizza.localhost/?"} {
			if strings.Contains(text, root) {
				t.Errorf("%s has the root: %s", path, text)
			}
		}
	}
	document := b.call("GET", "/berlin/shops", nil, "Host", "pizza.localhost").text
	if described := describedText.FindStringSubmatch(document); described == nil || strings.Contains(described[1], `"item":"/"`) {
		t.Errorf("the way to a page begins at the root: %v", described)
	}
}

func TestDocument_hasOneAddressWhateverTheQuery(t *testing.T) {
	t.Parallel()
	b := newEdge(t, dbtest.Open(t, db.SQLite)).browser(t)
	for query, want := range map[string]string{
		"": "/moscow?lang=en", "?group=rolls": "/moscow?lang=en", "?modal=cities": "/moscow?lang=en", "?utm_source=x&lang=ru": "/moscow",
		"?lang=de": "/moscow?lang=en", // the brand has no German
	} {
		text := b.call("GET", "/moscow"+query, nil).text
		if !strings.Contains(text, `<link rel="canonical" href="`+want+`">`) {
			t.Errorf("%q: %v", query, canonicalLink.FindString(text))
		}
	}
}

func TestDocument_isSharedAsWhatItsAddressOpens(t *testing.T) {
	t.Parallel()
	e := newEdge(t, dbtest.Open(t, db.SQLite))
	b := e.browser(t)
	plain := b.call("GET", "/moscow", nil).text
	for query, want := range map[string]string{
		"?modal=product&product=rice-roll&utm_source=x": `<meta property="og:url" content="/moscow?lang=en&amp;modal=product&amp;product=rice-roll">`,
		"?modal=product&product=nothing":                `<meta property="og:url" content="/moscow?lang=en">`,
		"?modal=promo&alias=nothing":                    `<meta property="og:url" content="/moscow?lang=en">`,
		"?group=rolls":                                  `<meta property="og:url" content="/moscow?lang=en">`,
	} {
		for range 2 { // the second is the one that was made
			text := b.call("GET", "/moscow"+query, nil).text
			if !strings.Contains(text, want) || !strings.Contains(text, `<link rel="canonical" href="/moscow?lang=en">`) {
				t.Errorf("%s: no %s in %s", query, want, text[:strings.Index(text, "<body>")])
			}
			_, body, _ := strings.Cut(text, "<body>")
			if !strings.HasSuffix(plain, body) || strings.Count(text, "og:title") != 1 {
				t.Errorf("%s: another document", query)
			}
		}
	}
}

func TestIcons_areThoseOfTheBrand(t *testing.T) {
	t.Parallel()
	s, e := newSearchEngine(t)
	seen := []string{}
	for _, brand := range e.Catalog.Current().Sites.All() {
		for _, path := range []string{"/favicon.ico", "/apple-touch-icon.png"} {
			status, text := s.get(originOf(brand) + path)
			if status != http.StatusOK || slices.Contains(seen, text) {
				t.Errorf("%s%s: %d", brand.Alias, path, status)
			}
			seen = append(seen, text)
		}
		if ico := seen[len(seen)-2]; !strings.HasPrefix(ico, "\x00\x00\x01\x00\x01\x00\x20\x20") || ico[22:26] != "\x89PNG" {
			t.Errorf("%s: no ICO of 32 pixels: %q", brand.Alias, ico[:min(26, len(ico))])
		}
	}
}
