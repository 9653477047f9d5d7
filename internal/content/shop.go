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

func (b *brandReader) readShops() {
	v, ok := b.open("shops.yaml")
	if !ok {
		return
	}
	for _, entry := range v.list() {
		b.shop(entry)
	}
}

func (b *brandReader) shop(v value) {
	o := v.object()
	s := geo.Shop{
		ID: b.id(o, "shop"), Alias: b.alias(o, b.kind("shop")),
		Name: o.needWords("name", b.tongue), Street: o.needWords("street", b.tongue),
		Description: o.words("description", b.tongue), Point: o.point(),
		CookingMinutes: o.whole("cooking_minutes", 30, 0, 24*60),
		Ceilings:       map[site.OrderType]int{}, GroupCeilings: map[int64]int{},
		Tags: o.texts("tags"), CompanyName: o.text("company_name"), INN: o.text("inn"), OGRN: o.text("ogrn"),
	}
	if !s.Point.Valid() {
		v.fault("there is no place at %v, %v", s.Point.Latitude, s.Point.Longitude)
	}
	s.Stopped, s.Alert = b.stopped(o)
	for _, t := range o.orderTypes("order_types", site.OrderTypes()...) {
		s.Delivery = s.Delivery || t == site.Delivery
		s.Takeaway = s.Takeaway || t == site.Takeaway
	}
	if ceiling, ok := o.get("ceiling"); ok {
		f := ceiling.object()
		for _, t := range site.OrderTypes() {
			if minutes, ok := f.get(string(t)); ok {
				s.Ceilings[t] = int(minutes.whole(0, maxCeiling))
			}
		}
		f.done()
	}
	if ceilings, ok := o.get("ceiling_groups"); ok {
		f := ceilings.object()
		for _, k := range f.keys {
			f.used[k.name] = true
			id, known := b.groups[k.name]
			if !known {
				b.unknown(k.value, "product group", k.name)
			}
			s.GroupCeilings[id] = int(f.fields[k.name].whole(0, maxCeiling))
		}
	}
	if city, ok := o.need("city"); ok {
		if p, known := b.placeOf(city); known {
			s.CityID = p.city.ID
			v.mustLieIn(p, s.Point)
			b.later = append(b.later, func() {
				if _, sold := b.cities[p.city.Alias]; !sold && !b.isUnread("cities.yaml") {
					city.fault("the brand does not sell in %s: it is not in cities.yaml", p.city.Alias)
				}
			})
		}
	}
	entry := catalog.ShopEntry{Shop: s}
	if hours, ok := o.need("hours"); ok {
		entry.Shop.Hours, entry.Today = hours.hours()
	}
	o.done()
	b.shops[s.Alias] = s.ID
	b.brand.Shops = append(b.brand.Shops, entry)
}

// hours reads working hours; the spans of the special date today come apart.
func (v value) hours() (schedule.Hours, *[]schedule.Span) {
	o := v.object()
	h := schedule.Hours{Default: map[int][]schedule.Span{}, Custom: map[clock.Day][]schedule.Span{}}
	var ofToday *[]schedule.Span
	if week, ok := o.need("default"); ok {
		f := week.object()
		for _, k := range f.keys {
			f.used[k.name] = true
			spans := f.fields[k.name].spans()
			for _, day := range k.weekdays() {
				if _, twice := h.Default[day]; twice {
					k.fault("weekday %d stands here twice", day)
				}
				h.Default[day] = spans
			}
		}
	}
	if custom, ok := o.get("custom"); ok {
		f := custom.object()
		for _, k := range f.keys {
			f.used[k.name] = true
			spans := f.fields[k.name].spans()
			if k.name == today {
				ofToday = &spans
				continue
			}
			day, err := clock.ParseDay(k.name)
			if err != nil {
				k.fault("%v", err)
				continue
			}
			h.Custom[day] = spans
		}
	}
	o.done()
	if err := h.Check(); err != nil {
		v.fault("%v", err)
	}
	return h, ofToday
}

// weekdays reads "7" or "1-4".
func (k key) weekdays() []int {
	first, last, isRange := strings.Cut(k.name, "-")
	if !isRange {
		last = first
	}
	var from, to int
	if n, err := fmt.Sscanf(first+" "+last, "%d %d", &from, &to); n != 2 || err != nil || from < 1 || to > 7 || from > to {
		k.fault("%q is not a weekday, 1 (Monday) to 7 (Sunday), nor a range like 1-5", k.name)
		return nil
	}
	var days []int
	for d := from; d <= to; d++ {
		days = append(days, d)
	}
	return days
}

// spans reads a list of "10:00-22:00"; it is never nil.
func (v value) spans() []schedule.Span {
	spans := []schedule.Span{}
	for _, s := range v.list() {
		span, err := schedule.ParseSpan(s.text())
		if err != nil {
			s.fault("%v", err)
			continue
		}
		spans = append(spans, span)
	}
	return spans
}
