package page

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
	"time"

	"servery/internal/fault"
	"servery/internal/server/precompressed"
	"servery/internal/server/request"
	"servery/internal/site"
)

// Addresses of the sitemaps of a brand for search engines: the index, and below SitemapPath one sitemap
// for each city and one for the pages outside of cities.
const (
	SitemapIndexPath = "/sitemap.xml"
	SitemapPath      = "/sitemap/"
	// sitemapOfBrand is the name of the sitemap of the pages outside of any city. No alias of a city begins with a dash.
	sitemapOfBrand = "-brand"
	sitemapEnding  = ".xml"
)

// sitemapMemory bounds the memory, in bytes, for sitemaps of all brands and cities.
const sitemapMemory = 8 << 20

// sitemapCaching lets caches keep a sitemap no longer than it may be behind the content.
var sitemapCaching = precompressed.Caching{Control: "public, max-age=60", Vary: "Accept-Encoding"}

// sitemapKey names one sitemap. Everything that changes a byte of the sitemap is in the key.
type sitemapKey struct {
	base, site, name string
	revision         int64
}

type sitemapIndex struct {
	XMLName xml.Name       `xml:"sitemapindex"`
	XMLNS   string         `xml:"xmlns,attr"`
	Maps    []sitemapEntry `xml:"sitemap"`
}

type sitemap struct {
	XMLName xml.Name       `xml:"urlset"`
	XMLNS   string         `xml:"xmlns,attr"`
	XHTML   string         `xml:"xmlns:xhtml,attr"`
	Pages   []sitemapEntry `xml:"url"`
}

// sitemapEntry is a page in one language, or in the index a sitemap.
type sitemapEntry struct {
	Address    string        `xml:"loc"`
	Changed    string        `xml:"lastmod"`
	Alternates []sitemapLink `xml:"xhtml:link"`
}

type sitemapLink struct {
	Rel     string `xml:"rel,attr"`
	Lang    string `xml:"hreflang,attr"`
	Address string `xml:"href,attr"`
}

const sitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

// baseOf returns the address of the request's brand for search engines: the address in the settings, or
// else the address that the request came by.
func (s *Server) baseOf(in *request.Info) string {
	if base := s.siteAddresses.Canonical(in.Site); base != "" {
		return base
	}
	return s.siteAddresses.Origin(in, in.Site)
}

// ServeRobots answers GET /robots.txt. It keeps pages of one visitor out of search engines and names
// the sitemap.
func (s *Server) ServeRobots(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	rules := "User-agent: *\nDisallow: /api/\nDisallow: /*/cart\nDisallow: /*/order/\nDisallow: /*/back-to-home\nDisallow: /*/profile\nDisallow: /auth/\nDisallow: /staff/\n"
	_, _ = w.Write([]byte(rules + "\nSitemap: " + s.baseOf(request.From(r.Context())) + SitemapIndexPath + "\n"))
}

// ServeSitemapIndex answers GET /sitemap.xml with the addresses of the brand's sitemaps.
func (s *Server) ServeSitemapIndex(w http.ResponseWriter, r *http.Request) {
	s.sendSitemap(w, r, "", func(base string, st *site.Site, changed string) any {
		index := sitemapIndex{XMLNS: sitemapNamespace}
		for _, name := range namesOfSitemaps(st) {
			index.Maps = append(index.Maps, sitemapEntry{Address: base + SitemapPath + name + sitemapEnding, Changed: changed})
		}
		return index
	})
}

// namesOfSitemaps returns the names of a brand's sitemaps, the one of the pages outside of cities first where there
// are any.
func namesOfSitemaps(st *site.Site) []string {
	var names []string
	if _, isOnly := st.OnlyCity(); !isOnly || len(st.ListPages(nil)) > 0 {
		names = append(names, sitemapOfBrand)
	}
	for _, city := range st.Cities {
		names = append(names, city.Alias)
	}
	return names
}

// ServeSitemap answers GET /sitemap/{name} with the pages of a city, or of the brand, in all languages.
func (s *Server) ServeSitemap(w http.ResponseWriter, r *http.Request) {
	name, isXML := strings.CutSuffix(r.PathValue("name"), sitemapEnding)
	city, isCity := request.From(r.Context()).Site.CityByAlias(name)
	if !isXML || !isCity && name != sitemapOfBrand {
		s.problem(w, r, fault.New(fault.NotFound, "common.not_found"))
		return
	}
	s.sendSitemap(w, r, name, func(base string, st *site.Site, changed string) any {
		to, first := addresses{base: base, brand: st}, "/"
		m := sitemap{XMLNS: sitemapNamespace, XHTML: "http://www.w3.org/1999/xhtml"}
		if city != nil {
			first += city.Alias
		}
		if _, isOnly := st.OnlyCity(); city != nil || !isOnly { // the root of a brand of one city leads there
			m.addPage(to, first, city, changed)
		}
		for _, alias := range st.ListPages(city) {
			m.addPage(to, strings.TrimSuffix(first, "/")+"/"+alias, city, changed)
		}
		return m
	})
}

// addPage adds a page in all languages.
func (m *sitemap) addPage(to addresses, path string, city *site.City, changed string) {
	var links []sitemapLink
	for _, a := range to.alternates(path, city) {
		links = append(links, sitemapLink{"alternate", a.Lang, a.Address})
	}
	for _, l := range to.brand.OfferedLanguages() {
		m.Pages = append(m.Pages, sitemapEntry{Address: to.inLanguage(path, l), Changed: changed, Alternates: links})
	}
}

// sendSitemap sends the sitemap with the name, of the request's brand. compose returns the sitemap to be encoded;
// it is called only when the sitemap of the revision is not in memory.
func (s *Server) sendSitemap(w http.ResponseWriter, r *http.Request, name string, compose func(base string, st *site.Site, changed string) any) {
	in, snapshot := request.From(r.Context()), s.catalog.Current()
	key := sitemapKey{base: s.baseOf(in), site: in.Site.Alias, name: name, revision: snapshot.Revision}
	body, err := s.sitemaps.Get(r.Context(), key, s.clock.Now(), func(context.Context) ([]byte, time.Time, error) {
		text, err := xml.Marshal(compose(key.base, in.Site, snapshot.ImportedAt.UTC().Format(time.RFC3339)))
		if err != nil {
			return nil, time.Time{}, fmt.Errorf("write the map %q of the site: %w", name, err)
		}
		return append([]byte(xml.Header), text...), time.Time{}, nil
	})
	if err != nil {
		s.problem(w, r, err)
		return
	}
	answer := precompressed.Answer{Body: body, Request: r, ContentType: "application/xml; charset=utf-8", Status: http.StatusOK, Caching: sitemapCaching}
	_ = answer.Send(w) // a failing write means that the client has closed the connection
}
