package page

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"servery/internal/cache"
	"servery/internal/catalog"
	"servery/internal/lang"
	"servery/internal/server/convert"
	"servery/internal/server/precompressed"
	"servery/internal/server/request"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// sharedMemory bounds the memory for documents whose address opens a promotion or a product.
const sharedMemory = 8 << 20

// sharedKey names a document with the card of what its address opens.
type sharedKey struct{ document, kind, alias string }

// newSharedDocuments returns an empty cache of documents with the card of what their address opens.
func newSharedDocuments() *cache.Cache[sharedKey, *precompressed.Body] {
	return cache.OfWeight[sharedKey](sharedMemory, func(b *precompressed.Body) uint32 { return uint32(b.Size()) })
}

// The kinds of what an address can open, by the query that the page reads.
const (
	sharedPromotion = "promo"
	sharedProduct   = "product"
)

// isPageOfCity reports whether a page of a document may open something of its city.
func isPageOfCity(page wire.PageDataPage) bool { return page == wire.Home || page == wire.Public }

// withCard returns the document with the card of the promotion or the product that the address of the
// request opens, and the document itself where it opens neither. Only a document with an ETag is
// changed: one without is about to be replaced.
func (s *Server) withCard(r *http.Request, key documentKey, city *site.City, document *precompressed.Body) (*precompressed.Body, error) {
	if r.URL.RawQuery == "" || city == nil || !isPageOfCity(key.page) || document.ETag == "" {
		return document, nil
	}
	query := r.URL.Query()
	cacheKey := sharedKey{document: document.ETag + key.below, kind: query.Get("modal"), alias: query.Get("alias")}
	switch {
	case cacheKey.kind == sharedProduct:
		cacheKey.alias = query.Get("product")
	case cacheKey.kind == "" && key.below == "/promotions": // there the alias alone opens a promotion
		cacheKey.kind = sharedPromotion
	}
	if body, ok := s.shared.Get(cacheKey); ok {
		return body, nil
	}
	opened, ok := s.findOpened(r.Context(), city, cacheKey)
	if !ok {
		return document, nil
	}
	plain, err := document.Plain()
	if err != nil {
		return nil, fmt.Errorf("unpack a document: %w", err)
	}
	path := "/" + city.Alias + key.below
	changed, err := s.replaceCard(plain, request.From(r.Context()), city, path, cacheKey, opened)
	if err != nil {
		return nil, err
	}
	body, err := precompressed.CompressFast(changed)
	if err != nil {
		return nil, fmt.Errorf("pack a document: %w", err)
	}
	body = body.Compact()
	s.shared.Set(cacheKey, body)
	return body, nil
}

// opened is what an address opens.
type opened struct {
	name, text lang.Text
	picture    *catalog.Picture
}

// findOpened returns the promotion or the product of a key; false when the city has none, or its menu
// cannot be read.
func (s *Server) findOpened(ctx context.Context, city *site.City, key sharedKey) (opened, bool) {
	brand := request.From(ctx).Site
	switch key.kind {
	case sharedPromotion:
		for _, p := range s.catalog.Current().Promotions(brand, city) {
			if p.Alias == key.alias {
				return opened{p.Name, p.Subtitle, p.Picture}, true
			}
		}
	case sharedProduct:
		menu, err := s.calls.PageMenu(ctx, city)
		if err != nil {
			return opened{}, false
		}
		if p, ok := menu.ProductByKey(key.alias); ok {
			return opened{p.Name, p.Description, p.Picture}, true
		}
	}
	return opened{}, false
}

// replaceCard returns the HTML of a document with the card of what its address opens. It returns a document
// without a card unchanged.
func (s *Server) replaceCard(plain []byte, in *request.Info, city *site.City, path string, key sharedKey, what opened) ([]byte, error) {
	start, end := bytes.Index(plain, []byte(cardStart)), bytes.Index(plain, []byte(cardEnd))
	if start < 0 || end < start {
		return plain, nil
	}
	texts, base := convert.Localizer{Site: in.Site, Lang: in.Lang}, s.addressesOf(in.Site).base
	c := newCard(texts, head{Title: texts.Text(what.name) + " · " + texts.Text(in.Site.Name), Description: cmp.Or(texts.Text(what.text), texts.Text(in.Site.Slogan))}, base, city)
	c.URL = base + path + "?" + addressQuery(in, key, path).Encode()
	if p := what.picture; p != nil {
		c.Picture = &cardPicture{URL: base + p.Src, Text: texts.Text(what.name), Width: p.Width, Height: p.Height}
	}
	var card bytes.Buffer
	if err := documentTemplate.ExecuteTemplate(&card, "card", c); err != nil {
		return nil, err
	}
	changed := append(bytes.Clone(plain[:start]), bytes.TrimSpace(card.Bytes())...)
	return append(changed, plain[end+len(cardEnd):]...), nil
}

// addressQuery returns the query of the address that opens the promotion or product of the key, in the
// language of the request. On the page of promotions itself the alias is enough.
func addressQuery(in *request.Info, key sharedKey, path string) url.Values {
	query := url.Values{}
	if key.kind == sharedProduct {
		query.Set("modal", sharedProduct)
		query.Set("product", key.alias)
	} else {
		query.Set("alias", key.alias)
		if !strings.HasSuffix(path, "/promotions") {
			query.Set("modal", sharedPromotion)
		}
	}
	if in.Lang != in.Site.DefaultLanguage {
		query.Set(request.LanguageParam, string(in.Lang))
	}
	return query
}
