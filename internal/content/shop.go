package content

import (
	"fmt"
	"strings"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/geo"
	"servery/internal/schedule"
	"servery/internal/site"
)

// today is the special date in the custom hours that means whatever day it is.
const today = "today"

// maxCeiling is the greatest ceiling of work, in minutes per interval.
const maxCeiling = 100_000

// readShops reads shops.yaml.
func (b *brandReader) readShops() {
	v, ok := b.openFile("shops.yaml")
	if !ok {
		return
	}
	for _, entry := range v.toList() {
		b.readShop(entry)
	}
}

// readShop reads a shop of the brand.
func (b *brandReader) readShop(v value) {
	o := v.toObject()
	s := geo.Shop{
		ID: b.readID(o, "shop"), Alias: b.readAlias(o, b.kindOf("shop")),
		Name: o.requiredLocalizedText("name", b.texts), Street: o.requiredLocalizedText("street", b.texts),
		Description: o.localizedText("description", b.texts), Point: o.readPoint(),
		CookingMinutes: o.optionalInt("cooking_minutes", 30, 0, 24*60),
		Ceilings:       map[site.OrderType]int{}, GroupCeilings: map[int64]int{},
		Tags: o.optionalTexts("tags"), CompanyName: o.optionalText("company_name"), INN: o.optionalText("inn"), OGRN: o.optionalText("ogrn"),
	}
	if !s.Point.Valid() {
		v.addFault("there is no place at %v, %v", s.Point.Latitude, s.Point.Longitude)
	}
	s.Stopped, s.Alert = b.readStopped(o)
	for _, t := range o.readOrderTypes("order_types", site.OrderTypes()...) {
		s.Delivery = s.Delivery || t == site.Delivery
		s.Takeaway = s.Takeaway || t == site.Takeaway
	}
	if ceiling, ok := o.optional("ceiling"); ok {
		f := ceiling.toObject()
		for _, t := range site.OrderTypes() {
			if minutes, ok := f.optional(string(t)); ok {
				s.Ceilings[t] = int(minutes.toInt(0, maxCeiling))
			}
		}
		f.checkFields()
	}
	if ceilings, ok := o.optional("ceiling_groups"); ok {
		f := ceilings.toObject()
		for _, k := range f.keys {
			f.used[k.name] = true
			id, known := b.groups[k.name]
			if !known {
				b.addUnknown(k.value, "product group", k.name)
			}
			s.GroupCeilings[id] = int(f.fields[k.name].toInt(0, maxCeiling))
		}
	}
	if city, ok := o.required("city"); ok {
		if p, known := b.placeOf(city); known {
			s.CityID = p.city.ID
			v.checkInside(p, s.Point)
			b.later = append(b.later, func() {
				if _, sold := b.cities[p.city.Alias]; !sold && !b.isUnread("cities.yaml") {
					city.addFault("the brand does not sell in %s: it is not in cities.yaml", p.city.Alias)
				}
			})
		}
	}
	entry := catalog.ShopEntry{Shop: s}
	if hours, ok := o.required("hours"); ok {
		entry.Shop.Hours, entry.Today = hours.readHours()
	}
	o.checkFields()
	b.shops[s.Alias] = s.ID
	b.brand.Shops = append(b.brand.Shops, entry)
}

// readHours reads working hours, and separately the spans of the special date today.
func (v value) readHours() (schedule.Hours, *[]schedule.Span) {
	o := v.toObject()
	h := schedule.Hours{Default: map[int][]schedule.Span{}, Custom: map[clock.Day][]schedule.Span{}}
	var ofToday *[]schedule.Span
	if week, ok := o.required("default"); ok {
		f := week.toObject()
		for _, k := range f.keys {
			f.used[k.name] = true
			spans := f.fields[k.name].readSpans()
			for _, day := range k.readWeekdays() {
				if _, twice := h.Default[day]; twice {
					k.addFault("weekday %d stands here twice", day)
				}
				h.Default[day] = spans
			}
		}
	}
	if custom, ok := o.optional("custom"); ok {
		f := custom.toObject()
		for _, k := range f.keys {
			f.used[k.name] = true
			spans := f.fields[k.name].readSpans()
			if k.name == today {
				ofToday = &spans
				continue
			}
			day, err := clock.ParseDay(k.name)
			if err != nil {
				k.addFault("%v", err)
				continue
			}
			h.Custom[day] = spans
		}
	}
	o.checkFields()
	if err := h.Check(); err != nil {
		v.addFault("%v", err)
	}
	return h, ofToday
}

// readWeekdays reads "7" or "1-4".
func (k key) readWeekdays() []int {
	first, last, isRange := strings.Cut(k.name, "-")
	if !isRange {
		last = first
	}
	var from, to int
	if n, err := fmt.Sscanf(first+" "+last, "%d %d", &from, &to); n != 2 || err != nil || from < 1 || to > 7 || from > to {
		k.addFault("%q is not a weekday, 1 (Monday) to 7 (Sunday), nor a range like 1-5", k.name)
		return nil
	}
	var days []int
	for d := from; d <= to; d++ {
		days = append(days, d)
	}
	return days
}

// readSpans reads a list of "10:00-22:00"; it is never nil.
func (v value) readSpans() []schedule.Span {
	spans := []schedule.Span{}
	for _, s := range v.toList() {
		span, err := schedule.ParseSpan(s.toText())
		if err != nil {
			s.addFault("%v", err)
			continue
		}
		spans = append(spans, span)
	}
	return spans
}
