package content

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"

	"servery/internal/lang"
)

// htmlPolicy is what the description of a promotion may be made of.
var htmlPolicy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "b", "strong", "i", "em", "ul", "ol", "li", "br")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("https")
	p.RequireNoFollowOnLinks(true)
	p.RequireNoReferrerOnLinks(true)
	return p
}()

// safeHTML reads a text of HTML and removes what the policy does not allow. A warning names what was
// removed.
func (t textValue) safeHTML(rules textRules) lang.Text {
	clean := lang.Text{}
	text := t.localizedText(rules)
	var removed []string
	for _, l := range lang.All() {
		if text[l] == "" {
			continue
		}
		clean[l] = strings.TrimSpace(htmlPolicy.Sanitize(text[l]))
		for _, one := range removedParts(text[l], clean[l]) {
			if !slices.Contains(removed, one) {
				removed = append(removed, one)
			}
		}
	}
	if len(removed) > 0 {
		t.addWarning("taken out of the %s: %s", t.name, strings.Join(removed, ", "))
	}
	return clean
}

// removedParts returns the tags and attributes of an HTML text that are not in the clean text, which
// was made of it.
func removedParts(text, clean string) []string {
	var removed []string
	left := startTags(clean) // in the order in which they are in text
	for _, tag := range startTags(text) {
		if len(left) == 0 || !isMadeOf(left[0], tag) {
			removed = append(removed, describeTag(tag))
			continue
		}
		for _, a := range tag.Attr {
			if !slices.Contains(left[0].Attr, a) {
				removed = append(removed, fmt.Sprintf("%s in <%s>", a.Key, tag.Data))
			}
		}
		left = left[1:]
	}
	return removed
}

// isMadeOf reports whether a clean tag may have been made of the other tag.
func isMadeOf(clean, tag html.Token) bool {
	if clean.Data != tag.Data {
		return false
	}
	for _, a := range clean.Attr {
		if a.Key != "rel" && !slices.Contains(tag.Attr, a) { // the policy adds rel to links
			return false
		}
	}
	return true
}

// describeTag returns how a warning names a tag that was removed. A link is removed because of its
// address, so the warning says what is wrong with the address.
func describeTag(tag html.Token) string {
	for _, a := range tag.Attr {
		if tag.Data != "a" || a.Key != "href" {
			continue
		}
		if u, err := url.Parse(strings.TrimSpace(a.Val)); err == nil && u.Scheme != "" {
			return fmt.Sprintf("<a> with %s:", u.Scheme)
		}
		return "<a> without https://"
	}
	return "<" + tag.Data + ">"
}

// startTags returns the opening tags of an HTML text, in order.
func startTags(text string) []html.Token {
	var tags []html.Token
	for z := html.NewTokenizer(strings.NewReader(text)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return tags
		}
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			tags = append(tags, z.Token())
		}
	}
}
