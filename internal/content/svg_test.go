package content_test

import (
	"strings"
	"testing"

	"servery/internal/content"
)

// logo is the change by which the brand of the fixture has a logo.
var logo = change{"sushi/brand.yaml", "email: hello@sushi.test", "email: hello@sushi.test\nlogo: logo.svg"}

// drawn returns a drawing with the markup in it.
func drawn(markup string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">` + markup + `</svg>`
}

func TestCheck_refusesDrawingsThatAreMoreThanADrawing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ drawing, want string }{
		"no drawing":             {"GIF", ":1: not an SVG drawing: there is no <svg> before the text"},
		"nothing":                {" ", ":1: not an SVG drawing: there is no <svg>"},
		"words before it":        {"words " + drawn(""), ":1: not an SVG drawing: there is no <svg> before the text"},
		"two drawings":           {drawn("") + drawn(""), ":1: not an SVG drawing: something follows </svg>"},
		"a page":                 {`<html><body/></html>`, ":1: not an SVG drawing: the outermost element is <html>"},
		"no namespace":           {`<svg><path d="M0 0"/></svg>`, `:1: not an SVG drawing: <svg> needs xmlns="http://www.w3.org/2000/svg"`},
		"another namespace":      {drawn(`<path xmlns="http://www.w3.org/1999/xhtml"/>`), `:1: xmlns="http://www.w3.org/1999/xhtml" of <path> is not taken`},
		"cut":                    {`<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/>`, ":1: not an SVG drawing: the file ends within <svg>"},
		"script":                 {drawn(`<script>alert(1)</script>`), ":1: <script> is not taken"},
		"script in capitals":     {drawn(`<SCRIPT>alert(1)</SCRIPT>`), ":1: <SCRIPT> is not taken"},
		"script with a prefix":   {`<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/2000/svg"><x:script>alert(1)</x:script></svg>`, ":1: xmlns:x of <svg> is not taken"},
		"prefix of nowhere":      {drawn(`<x:script>alert(1)</x:script>`), ":1: <x:script> is not taken"},
		"foreign object":         {drawn(`<foreignObject><body/></foreignObject>`), ":1: <foreignObject> is not taken"},
		"picture inside":         {drawn(`<image href="#a"/>`), ":1: <image> is not taken"},
		"link":                   {drawn(`<a href="#a"><path/></a>`), ":1: <a> is not taken"},
		"set":                    {drawn(`<set attributeName="href" to="javascript:alert(1)"/>`), ":1: <set> is not taken"},
		"animation":              {drawn(`<animate attributeName="href" values="javascript:alert(1)"/>`), ":1: <animate> is not taken"},
		"event":                  {drawn(`<path onclick="alert(1)"/>`), ":1: onclick of <path> is not taken"},
		"event of the outermost": {`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`, ":1: onload of <svg> is not taken"},
		"event after a slash":    {`<svg/onload=alert(1)>`, ":1: not an SVG drawing: expected /> in element"},
		"reference elsewhere":    {drawn(`<use href="https://example.com/a.svg#b"/>`), `:1: href="https://example.com/a.svg#b" of <use> is not taken: only a # and a name within the drawing`},
		"reference to a script":  {drawn(`<use href="java&#115;cript:alert(1)"/>`), `:1: href="javascript:alert(1)" of <use> is not taken: only a # and a name within the drawing`},
		"reference with a link":  {`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><use xlink:href="data:image/svg+xml,a"/></svg>`, `:1: xlink:href="data:image/svg+xml,a" of <use> is not taken: only a # and a name within the drawing`},
		"xlink of another name":  {`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/2000/svg"><xlink:script/></svg>`, ":1: xmlns:xlink=\"http://www.w3.org/2000/svg\" of <svg> is not taken"},
		"base":                   {drawn(`<g xml:base="https://example.com/"/>`), ":1: xml:base of <g> is not taken"},
		"fill from elsewhere":    {drawn(`<path fill="url(https://example.com/a.svg#b)"/>`), `:1: fill="url(https://example.com/a.svg#b)" of <path> is not taken: only url(#name)`},
		"fill, escaped":          {drawn(`<path fill="u\72l(https://example.com/a)"/>`), `:1: fill="u\\72l(https://example.com/a)" of <path> is not taken: only url(#name)`},
		"style with an address":  {drawn(`<path style="fill: URL(#a)"/>`), ":1: style of <path> is not taken: it has url( in it"},
		"style, escaped":         {drawn(`<path style="fill: \75rl(https://example.com)"/>`), `:1: style of <path> is not taken: it has \ in it`},
		"style, hidden":          {drawn(`<path style="width: expr/**/ession(alert(1))"/>`), ":1: style of <path> is not taken: it has expression in it"},
		"style with expression":  {drawn(`<path style="width: eXpression(alert(1))"/>`), ":1: style of <path> is not taken: it has expression in it"},
		"styles with an import":  {drawn(`<style>@import "https://example.com/a.css";</style>`), ":1: <style> is not taken: it has @import in it"},
		"styles in two parts":    {drawn(`<style>@im<![CDATA[port "https://example.com/a.css";]]></style>`), ":1: <style> is not taken: it has @import in it"},
		"styles around a remark": {drawn(`<style>@im<!-- -->port "https://example.com/a.css";</style>`), ":1: <style> is not taken: it has @import in it"},
		"element in styles":      {drawn(`<style><path/></style>`), ":1: <path> in <style> is not taken"},
		"doctype":                {`<!DOCTYPE svg>` + drawn(""), ":1: <!DOCTYPE …> is not taken"},
		"entity":                 {`<!DOCTYPE svg [<!ENTITY a "b">]>` + drawn("&a;"), ":1: <!DOCTYPE …> is not taken"},
		"entity of nowhere":      {drawn("<text>&a;</text>"), ":1: not an SVG drawing: invalid character entity &a;"},
		"instruction":            {`<?xml-stylesheet href="https://example.com/a.css"?>` + drawn(""), ":1: <?xml-stylesheet …?> is not taken"},
		"encoding":               {`<?xml version="1.0" encoding="UTF-7"?>` + drawn(""), ":1: not an SVG drawing: it is not in UTF-8"},
		"depth":                  {drawn(strings.Repeat("<g>", 64) + strings.Repeat("</g>", 64)), ":1: elements are nested deeper than 64 levels"},
		"many elements":          {drawn(strings.Repeat("<g/>", 20_000)), ":1: more than 20000 elements"},
		"size":                   {drawn(strings.Repeat(" ", 512<<10)), ": the file is too large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectFault(t, "sushi/brand.yaml:8: sushi/logo.svg"+c.want, logo, change{"sushi/logo.svg", "", c.drawing})
		})
	}
}

func TestCheck_takesWhatDrawingProgramsWrite(t *testing.T) {
	t.Parallel()
	for name, drawing := range map[string]string{
		"heading, remark, title": "\xef\xbb\xbf" + `<?xml version="1.0" encoding="utf-8"?>` + "\n<!-- made by hand -->\n" + drawn(`<title>A &amp; B</title><desc>C</desc>`) + "\n",
		"gradient":               drawn(`<defs><linearGradient id="a" x1="0" x2="1" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="#fff"/></linearGradient></defs><path fill="url(#a)" d="M0 0"/><path fill="url('#a') red" d="M0 0"/>`),
		"clip, mask, use":        drawn(`<clipPath id="a"><path d="M0 0"/></clipPath><mask id="b" maskUnits="userSpaceOnUse"><circle r="1"/></mask><g clip-path="url(#a)" mask="url(#b)"><use href="#a"/></g>`),
		"use with xlink":         `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" version="1.1" xml:space="preserve"><use xlink:href="#a"/></svg>`,
		"style":                  drawn(`<style type="text/css">.a{fill:#fff}</style><path class="a" style="stroke: none" d="M0 0"/>`),
		"shadow":                 drawn(`<filter id="a"><feGaussianBlur in="SourceGraphic" stdDeviation="2"/><feOffset dx="1" dy="1"/><feMerge><feMergeNode/></feMerge></filter><rect filter="url(#a)" width="1" height="1"/>`),
		"text":                   drawn(`<text x="1" y="2" font-family="sans-serif" text-anchor="middle"><tspan dx="1">A</tspan></text>`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, f := range content.Check(newFolder(t, logo, change{"sushi/logo.svg", "", drawing})) {
				t.Error(f)
			}
		})
	}
}

func TestCheck_warnsOfAnIconThatPhonesCannotShow(t *testing.T) {
	t.Parallel()
	icon := change{"sushi/brand.yaml", "email: hello@sushi.test", "email: hello@sushi.test\nicon: icon.svg"}
	faults := content.Check(newFolder(t, icon, change{"sushi/icon.svg", "", drawn(`<text x="1" y="2">A</text>`)}))
	if len(faults) != 1 || !faults[0].Warning || !strings.Contains(faults[0].Message, "no icons for phones can be made of icon.svg") {
		t.Errorf("%v", faults)
	}
	for _, f := range content.Check(newFolder(t, icon, change{"sushi/icon.svg", "", drawn(`<rect width="48" height="48" rx="8" fill="#fff"/>`)})) {
		t.Error(f)
	}
}

func TestRead_takesTheIconOfAGroup(t *testing.T) {
	t.Parallel()
	const rolls = "sushi/menu/01-rolls.yaml"
	named := change{rolls, "show_on_main: true", "show_on_main: true, icon: luxe.svg"}
	read, found := content.Read(newFolder(t, named, change{"sushi/luxe.svg", "", drawn(`<path d="M0 0"/>`)}))
	if read == nil {
		t.Fatal(found)
	}
	groups := read.Document.Brands[0].Groups
	if !strings.HasSuffix(groups[0].Icon, ".svg") || groups[1].Icon != "" {
		t.Errorf("icons %q and %q", groups[0].Icon, groups[1].Icon)
	}
	expectFault(t, rolls+":1: icon sushi/luxe.svg is missing", named)
}
