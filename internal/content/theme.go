package content

import (
	"fmt"
	"reflect"
	"strings"

	"servery/internal/clock"
	"servery/internal/lang"
	"servery/internal/look"
	"servery/internal/money"
	"servery/internal/site"
)

// themeFile is the file of a brand's look, which may be absent.
const themeFile = "theme.yaml"

// themeFields is theme.yaml.
type themeFields struct {
	// auto follows the visitor's device; light and dark are for everyone, and need one palette only
	Scheme string `field:"scheme" one:"schemes" default:"auto"`
	// The colours by day; what is absent is taken from the usual look
	Light mappingOf[colorFields] `field:"light"`
	// The colours by night; what is absent is taken from the usual look
	Dark mappingOf[colorFields] `field:"dark"`
	// Radii in pixels, or round
	Corners mappingOf[cornerFields] `field:"corners"`
	// soft is blurred, hard is a second edge, none lies flat
	Shadow string `field:"shadow" one:"shadows" default:"soft"`
	// Width of lines in pixels
	Line float64 `field:"line" min:"0.5" max:"4" default:"1"`
	// Weights and widths of the typefaces
	Type mappingOf[typeFields] `field:"type"`
	// How parts come, go and change
	Motion mappingOf[motionFields] `field:"motion"`
	// The typefaces; those of the visitor's system when absent
	Fonts mappingOf[fontFields] `field:"fonts"`
	// Other colours for some days
	Festive []mappingOf[festiveFields] `field:"festive"`
}

// colorFields are the colours of one palette.
type colorFields struct {
	// Behind everything
	Ground colorValue `field:"ground"`
	// Of cards, dialogs and fields
	Surface colorValue `field:"surface"`
	// Of what stands out from a surface: quiet buttons, a line that is pointed at
	Raised colorValue `field:"raised"`
	// Text
	Ink colorValue `field:"ink"`
	// Text that says less: weights, hints
	InkSoft colorValue `field:"ink_soft"`
	// Lines that divide
	Line colorValue `field:"line"`
	// Edges of fields and of boxes to tick
	Edge colorValue `field:"edge"`
	// The one important button of a screen
	Accent colorValue `field:"accent"`
	// What that button says
	OnAccent colorValue `field:"on_accent"`
	// Text and rings in the colour of the brand
	AccentInk colorValue `field:"accent_ink"`
	// Behind what is chosen, and marks such as hit
	Tint colorValue `field:"tint"`
	// Text on tint
	OnTint colorValue `field:"on_tint"`
	// The plate under pictures, and in place of one
	Plate colorValue `field:"plate"`
	// The drawing on an empty plate
	PlateMark colorValue `field:"plate_mark"`
	// Over the page, under a dialog; may show something through
	Scrim colorValue `field:"scrim"`
	// Of shadows; may show something through
	Shadow colorValue `field:"shadow"`
	// Text of what went well
	Good colorValue `field:"good"`
	// Behind it
	GoodTint colorValue `field:"good_tint"`
	// Text of what needs attention
	Warn colorValue `field:"warn"`
	// Behind it
	WarnTint colorValue `field:"warn_tint"`
	// Text of what went wrong
	Danger colorValue `field:"danger"`
	// Behind it
	DangerTint colorValue `field:"danger_tint"`
	// A button that takes something away
	DangerFill colorValue `field:"danger_fill"`
	// What that button says
	OnDanger colorValue `field:"on_danger"`
	// Zones of cities.yaml with tint a
	ZoneA colorValue `field:"zone_a"`
	// Zones with tint b
	ZoneB colorValue `field:"zone_b"`
	// Zones with tint c
	ZoneC colorValue `field:"zone_c"`
	// Zones with tint d
	ZoneD colorValue `field:"zone_d"`
}

// cornerFields are the radii of a look.
type cornerFields struct {
	Card    cornerValue `field:"card"`
	Control cornerValue `field:"control"`
	Chip    cornerValue `field:"chip"`
	Plate   cornerValue `field:"plate"`
}

// typeFields are the weights and widths of a look.
type typeFields struct {
	TitleWeight  int `field:"title_weight" min:"1" max:"1000" default:"650"`
	StrongWeight int `field:"strong_weight" min:"1" max:"1000" default:"600"`
	PriceWeight  int `field:"price_weight" min:"1" max:"1000" default:"600"`
	// Percent of the usual width, of a typeface with an axis of width
	TitleWidth int `field:"title_width" min:"50" max:"200" default:"100"`
	// The same of prices
	PriceWidth int `field:"price_width" min:"50" max:"200" default:"100"`
	// Room between the letters of titles, in hundredths of their size
	TitleTracking float64 `field:"title_tracking" min:"-10" max:"20" default:"-1"`
	TitleCase     string  `field:"title_case" one:"cases" default:"as_written"`
}

// motionFields are the times of a look.
type motionFields struct {
	// Milliseconds of what answers a tap
	Fast int `field:"fast" min:"0" max:"150" default:"120"`
	// Milliseconds of what comes and goes
	Usual int `field:"usual" min:"0" max:"150" default:"150"`
	// glide ends slowly, even is even, spring goes a little too far
	Curve string `field:"curve" one:"curves" default:"glide"`
}

// fontFields are the typefaces of a look.
type fontFields struct {
	// A WOFF2 file in the brand's folder, or a file for each language
	Text fontValue `field:"text"`
	// The same for titles and prices; text when absent
	Display fontValue `field:"display"`
}

// festiveFields are the colours of some days.
type festiveFields struct {
	Name aliasValue `field:"name,required" max:"32"`
	// The first day
	From *clock.Day `field:"from,required"`
	// The last day
	To *clock.Day `field:"to,required"`
	// Those that differ from light
	Light mappingOf[colorFields] `field:"light"`
	// Those that differ from dark
	Dark mappingOf[colorFields] `field:"dark"`
}

// readTheme reads theme.yaml, or takes the usual look where there is none. It must be called after
// brand.yaml was read.
func (b *brandReader) readTheme() {
	t := look.Default()
	v, ok := b.openFile(themeFile)
	if !ok {
		b.finishTheme(t, value{})
		return
	}
	f, o := readFields[themeFields](v)
	if f.Scheme != "" {
		t.Scheme = look.Scheme(f.Scheme)
	}
	written := map[look.Scheme]mappingOf[colorFields]{look.Light: f.Light, look.Dark: f.Dark}
	for scheme, colors := range written {
		t.Palettes[scheme] = colors.readPalette().Over(t.Palettes[scheme])
	}
	b.warnOfPalettes(t.Scheme, f, o)
	t.Shape = f.readShape(t.Shape)
	for _, scheme := range t.Scheme.Pages() {
		written[scheme].addWeakPairs(o.value, string(scheme), t.Palettes[scheme], nil)
	}
	for _, entry := range f.Festive {
		b.readFestive(entry, &t)
	}
	t.Faces = b.readFaces(f.Fonts)
	b.finishTheme(t, v)
}

// warnOfPalettes adds a warning for a palette that pages are shown in and that is absent though the
// other one is written. It also adds one for a palette that no page is shown in.
func (b *brandReader) warnOfPalettes(scheme look.Scheme, f *themeFields, o *object) {
	for _, one := range []struct {
		scheme  look.Scheme
		colors  mappingOf[colorFields]
		another mappingOf[colorFields]
	}{{look.Light, f.Light, f.Dark}, {look.Dark, f.Dark, f.Light}} {
		isShown := scheme == look.Auto || scheme == one.scheme
		switch {
		case isShown && one.colors.isNull() && !one.another.isNull():
			o.addWarning("%s is absent and taken from the usual look, not from this brand's", one.scheme)
		case !isShown && !one.colors.isNull():
			one.colors.addWarning("no page is shown in %s: scheme is %s", one.scheme, scheme)
		}
	}
}

// readPalette returns the colours that the theme sets, by name; an absent mapping sets none. A
// colour that cannot be read is left out and reported as a fault.
func (f mappingOf[colorFields]) readPalette() look.Palette {
	p := look.Palette{}
	if f.isNull() {
		return p
	}
	fields, o := f.readMapping()
	colors := reflect.ValueOf(fields).Elem()
	for i, r := range rulesOf(colors.Type()) {
		written, _ := colors.Field(i).Interface().(colorValue)
		if c, ok := written.readColor(look.Translucent(r.name)); ok {
			p[r.name] = c
		}
	}
	// YAML reads #fff without quotes as a comment, which leaves a key without a value.
	for _, k := range o.keys {
		if o.fields[k.name].isNull() {
			k.addFault("%s has no colour; one that begins with # stands in quotes", k.name)
		}
	}
	return p
}

// readColor returns a colour, and false where it is absent or cannot be read.
func (v colorValue) readColor(mayShowThrough bool) (look.Color, bool) {
	if v.isNull() {
		return look.Color{}, false
	}
	c, err := look.ParseColor(v.toText())
	switch {
	case err != nil:
		v.addFault("%v", err)
	case c.A < 1 && !mayShowThrough:
		v.addFault("this colour must not show anything through")
	default:
		return c, true
	}
	return look.Color{}, false
}

// addWeakPairs adds a fault for each pair of colours of the palette that are too close to each other;
// pairs in known are left out. The fault is at one of the two colours when f has it, else at f, or at
// whole when f is absent. The palette must be complete.
func (f mappingOf[colorFields]) addWeakPairs(whole value, scheme string, palette look.Palette, known map[look.Weak]bool) {
	place := whole
	var o *object
	if !f.isNull() {
		place, o = f.value, f.toObject()
	}
	for _, weak := range palette.FindWeak() {
		if known[weak] {
			continue
		}
		at := place
		for _, token := range []string{weak.Back, weak.Front} {
			if o != nil {
				if written, ok := o.fields[token]; ok {
					at = written
				}
			}
		}
		what := "text"
		if weak.Least < 4.5 { // the contrast that texts need
			what = "a part of the page"
		}
		at.addFault("%s: %s on %s has a contrast of %.2f, and %s needs %.1f", scheme, weak.Front, weak.Back, weak.Contrast, what, weak.Least)
	}
}

// readShape returns the shape of a look, with the corners of usual where they are absent.
func (f *themeFields) readShape(usual look.Shape) look.Shape {
	t, _ := f.Type.readMapping()
	m, _ := f.Motion.readMapping()
	s := look.Shape{
		Corners: usual.Corners, Shadow: f.Shadow, Line: f.Line,
		TitleWeight: t.TitleWeight, StrongWeight: t.StrongWeight, PriceWeight: t.PriceWeight,
		TitleWidth: t.TitleWidth, PriceWidth: t.PriceWidth, TitleTracking: t.TitleTracking, TitleCase: t.TitleCase,
		FastMotion: m.Fast, Motion: m.Usual, Curve: m.Curve,
	}
	corners, _ := f.Corners.readMapping()
	for part, v := range map[string]cornerValue{"card": corners.Card, "control": corners.Control, "chip": corners.Chip, "plate": corners.Plate} {
		if !v.isNull() {
			s.Corners[part] = v.readCorner()
		}
	}
	return s
}

// readCorner returns a radius in pixels.
func (v cornerValue) readCorner() int {
	const widest = 64
	if v.asWritten() == "round" {
		return look.Round
	}
	before := len(v.faults.list)
	n := v.toInt(0, widest)
	if len(v.faults.list) > before {
		v.faults.list = v.faults.list[:before] // the fault of toInt does not name round
		v.addFault("a corner is a whole number of pixels from 0 to %d, or round", widest)
	}
	return int(n)
}

// readFestive adds the festive colours of an entry to the theme. Colours of a scheme that no page is
// shown in are left out. Pairs that are too close to each other in the theme's usual colours too are no
// fault of the entry.
func (b *brandReader) readFestive(entry mappingOf[festiveFields], t *look.Theme) {
	f, o := entry.readMapping()
	festive := look.Festive{Name: f.Name.readAlias(), Palettes: look.Palettes{}}
	b.checkUnique(f.Name.value, b.kindOf("festive look"), festive.Name)
	if f.From != nil && f.To != nil {
		if f.To.Before(*f.From) {
			o.addFault("to is before from: it would never be shown")
		}
		b.brand.Site.Look.Festive = append(b.brand.Site.Look.Festive, site.Festive{Name: festive.Name, From: *f.From, To: *f.To})
	}
	count := 0
	for scheme, colors := range map[look.Scheme]mappingOf[colorFields]{look.Light: f.Light, look.Dark: f.Dark} {
		own := colors.readPalette()
		count += len(own)
		if len(own) == 0 || t.Scheme != look.Auto && t.Scheme != scheme {
			continue
		}
		festive.Palettes[scheme] = own
		known := map[look.Weak]bool{}
		for _, weak := range t.Palettes[scheme].FindWeak() {
			known[weak] = true
		}
		colors.addWeakPairs(o.value, fmt.Sprintf("%s of %s", scheme, festive.Name), own.Over(t.Palettes[scheme]), known)
	}
	if count == 0 {
		o.addFault("light or dark is missing: which colours differ")
	}
	t.Festive = append(t.Festive, festive)
}

// finishTheme stores the style sheet of a theme, and sets in the site what documents need of it. A site
// that is only light or only dark keeps one logo, the one for that scheme. v is theme.yaml; without it
// no style sheet is stored.
func (b *brandReader) finishTheme(t look.Theme, v value) {
	l := b.brand.Site.Look
	l.Scheme = string(t.Scheme)
	for _, scheme := range t.Scheme.Pages() {
		l.Grounds = append(l.Grounds, site.Ground{Scheme: string(scheme), Color: t.Palettes[scheme]["ground"].String()})
	}
	if len(t.Scheme.Pages()) == 1 && t.Scheme == look.Dark && b.brand.Site.LogoDark != "" {
		b.brand.Site.Logo = b.brand.Site.LogoDark
	}
	if len(t.Scheme.Pages()) == 1 {
		b.brand.Site.LogoDark = ""
	}
	if v.node == nil {
		return // the page has the usual look itself
	}
	body := []byte(t.Sheet())
	m := medium{hash: hashOf(body), ending: "css", body: body}
	b.album.drawings = append(b.album.drawings, m)
	l.Sheet = m.mediaPath()
}

// currencySigns returns the signs of all currencies of the brand.
func currencySigns(lists map[string]money.Currency) string {
	var signs strings.Builder
	for _, c := range lists {
		signs.WriteString(c.Sign)
	}
	return signs.String()
}

// languagesOf returns the languages of a brand as a set.
func languagesOf(st *site.Site) map[lang.Lang]bool {
	languages := map[lang.Lang]bool{}
	for _, l := range st.Languages {
		languages[l] = true
	}
	return languages
}
