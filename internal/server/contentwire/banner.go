package contentwire

import (
	"strings"

	"servery/internal/catalog"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// banners converts the banners of a city.
func (s Localizer) banners(c *site.City, snapshot *catalog.Snapshot) []wire.MarketingBanner {
	list := []wire.MarketingBanner{}
	for _, b := range snapshot.Banners(s.Site, c) {
		w := wire.MarketingBanner{
			ID: b.ID, Name: s.Text(b.Name), Lang: s.ForeignLang(b.Name), Description: s.Optional(b.Description),
			Images: Images(b.Picture), ButtonText: s.Optional(b.ButtonText),
		}
		if b.Link != "" {
			w.ClickURL = convert.OrNil(pageOf(c, b.Link))
		}
		for _, page := range b.Pages {
			w.PageURL = append(w.PageURL, pageOf(c, page))
		}
		w.Schedule.ShowTime.From, w.Schedule.ShowTime.To = bannerMoment(b.From), bannerMoment(b.To)
		w.Schedule.Delay, w.Schedule.DisplayFrequency = b.Delay, b.Frequency
		w.Schedule.DisplayFrequencyType = wire.MarketingBannerScheduleDisplayFrequencyType(b.FrequencyUnit)
		list = append(list, w)
	}
	return list
}

// pageOf returns the path of a page of a city; an address elsewhere stays as it is.
func pageOf(c *site.City, page string) string {
	if !strings.HasPrefix(page, "/") {
		return page
	}
	return strings.TrimSuffix("/"+c.Alias+page, "/")
}

// bannerMoment converts a bound of the time in which a banner opens; nil for none.
func bannerMoment(m *catalog.BannerMoment) *wire.BannerMoment {
	if m == nil {
		return nil
	}
	return &wire.BannerMoment{Date: m.Date, Time: m.Time}
}
