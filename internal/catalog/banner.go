package catalog

import (
	"servery/internal/lang"
	"servery/internal/site"
)

// Banner is an offer that opens by itself over certain pages.
type Banner struct {
	ID          int64     `json:"id"`
	Alias       string    `json:"alias"`
	Name        lang.Text `json:"name"`
	Description lang.Text `json:"description,omitempty"`
	Picture     *Picture  `json:"picture,omitempty"`
	// Link is a page of the city, as /promotions, or an address elsewhere; empty is none, and
	// then the button has no text.
	Link       string    `json:"link,omitempty"`
	ButtonText lang.Text `json:"button_text,omitempty"`
	// Pages are those of the city that it opens over, as /promotions; / is its home page.
	Pages []string `json:"pages"`
	// From and To bound when it is shown, nil does not. They are moments of the city's clock.
	From *BannerMoment `json:"from,omitempty"`
	To   *BannerMoment `json:"to,omitempty"`
	// Delay is how many seconds a page is shown before it opens.
	Delay int `json:"delay,omitempty"`
	// Frequency is how many hours, or days, pass before the same visitor sees it again.
	Frequency     int    `json:"frequency"`
	FrequencyUnit string `json:"frequency_unit"`
}

// BannerMoment is a date, as 2026-12-31, and a time, as 18:00.
type BannerMoment struct {
	Date string `json:"date"`
	Time string `json:"time"`
}

// FrequencyUnits returns the allowed values of [Banner].FrequencyUnit.
func FrequencyUnits() []string { return []string{"hours", "days"} }

// Banners returns the banners that the city lists, in the order of that list. It returns nil for
// a brand that content no longer has.
func (s *Snapshot) Banners(brand *site.Site, city *site.City) []*Banner {
	a, ok := s.content.assortments[brand.Alias]
	if !ok {
		return nil
	}
	list := make([]*Banner, 0, len(city.Banners))
	for _, alias := range city.Banners {
		if b, ok := a.banners[alias]; ok {
			list = append(list, b)
		}
	}
	return list
}
