package content

import (
	"net/url"
	"strings"
	"time"

	"servery/internal/catalog"
)

// bannerFields is an entry of banners.yaml.
type bannerFields struct {
	ID    idValue    `field:"id,required"`
	Alias aliasValue `field:"alias,required"`
	Name  textValue  `field:"name,required"`
	// Without markup
	Description textValue `field:"description"`
	// Name in pictures/, without folder and ending; twice as wide as high, 1440 pixels wide or more
	Picture aliasValue `field:"picture"`
	// Where the button leads: a page of the city, as /promotions, or an address that begins with https://
	Link wordValue `field:"link" with:"button_text: what the button says"`
	// What the button says
	ButtonText textValue `field:"button_text" with:"link: where the button leads"`
	// Pages of the city that it opens over, as /promotions; / is the home page
	Pages []wordValue `field:"pages,required" items:"1" unique:"true"`
	// The first moment by the clock of the city, as "2026-12-01 10:00"; absent is at once
	From wordValue `field:"from"`
	// The moment from which it is shown no more, by the clock of the city; absent is never
	To wordValue `field:"to"`
	// Seconds that a page is shown before it opens
	Delay int `field:"delay" min:"0" max:"600" default:"5"`
	// How many hours or days pass before the same visitor sees it again
	Frequency int `field:"frequency" min:"1" max:"256" default:"1"`
	// What frequency counts
	FrequencyUnit string `field:"frequency_unit" one:"frequencyUnits" default:"days"`
}

// readBanners reads banners.yaml, which may be absent.
func (b *brandReader) readBanners() {
	v, ok := b.openFile("banners.yaml")
	if !ok {
		return
	}
	for _, entry := range v.toList() {
		f, o := readFields[bannerFields](entry)
		banner := catalog.Banner{
			ID: b.readID(f.ID, b.kindOf("banner")), Alias: b.readAlias(f.Alias, b.kindOf("banner")),
			Name: f.Name.localizedText(b.texts), Description: f.Description.localizedText(b.texts),
			Picture: b.readPicture(f.Picture, bannerWidth), ButtonText: f.ButtonText.localizedText(b.texts),
			From: f.From.readBannerMoment(), To: f.To.readBannerMoment(),
			Delay: f.Delay, Frequency: f.Frequency, FrequencyUnit: f.FrequencyUnit,
		}
		if !f.Link.isNull() {
			banner.Link = f.Link.readBannerLink()
		}
		for _, page := range f.Pages {
			banner.Pages = append(banner.Pages, page.readBannerPage())
		}
		// The texts of two moments sort as the moments do.
		if from, to := banner.From, banner.To; from != nil && to != nil && from.Date+from.Time >= to.Date+to.Time {
			o.addFault("to is not after from: it would never be shown")
		}
		if to := banner.To; to != nil {
			over, _ := time.Parse(bannerMomentLayout, to.Date+" "+to.Time) // readBannerMoment has checked it
			b.ends = append(b.ends, end{entry, "banner " + banner.Alias, over.Format(bannerMomentLayout), over})
		}
		b.banners[banner.Alias] = true
		b.brand.Banners = append(b.brand.Banners, banner)
	}
}

// bannerMomentLayout is how moments of banners are written.
const bannerMomentLayout = "2006-01-02 15:04"

// readBannerMoment returns the moment, nil where it is absent. It adds a fault and returns nil where
// it is not written as one.
func (v wordValue) readBannerMoment() *catalog.BannerMoment {
	if v.isNull() {
		return nil
	}
	text := v.toText()
	if _, err := time.Parse(bannerMomentLayout, text); err != nil {
		v.addFault("a moment is written as \"2026-12-01 10:00\": %q", text)
		return nil
	}
	date, clock, _ := strings.Cut(text, " ")
	return &catalog.BannerMoment{Date: date, Time: clock}
}

// readBannerLink returns where the button of a banner leads: a page of the city, or an address with https. It
// adds a fault for anything else.
func (v wordValue) readBannerLink() string {
	link := v.toText()
	u, err := url.Parse(link)
	isElsewhere := err == nil && u.Scheme == "https" && u.Host != ""
	if !isElsewhere && !isLocalPath(link) {
		v.addFault("a link begins with https://, or with / for a page of the city: %q", link)
	}
	return link
}

// readBannerPage returns a page of the city that a banner opens over. It adds a fault where it is no path
// or has a query.
func (v wordValue) readBannerPage() string {
	page := v.toText()
	if !isLocalPath(page) || strings.ContainsAny(page, "?#") {
		v.addFault("a page begins with / and has no query: %q", page)
	}
	return page
}

// isLocalPath reports whether the text is a path on this site, with or without a query: it begins with one
// slash and names no host. It is read below the path of a city.
func isLocalPath(text string) bool {
	u, err := url.Parse(text)
	hasOneSlash := strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//")
	// Browsers read \ as /, so that it could begin a host too.
	return err == nil && hasOneSlash && u.Host == "" && !strings.Contains(text, "\\")
}
