package content

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/geo"
	"servery/internal/schedule"
	"servery/internal/site"
)

// today is the special date in the custom hours that means whatever day it is.
const today = "today"

// shopFields is an entry of shops.yaml.
type shopFields struct {
	ID    idValue    `field:"id,required"`
	Alias aliasValue `field:"alias,required"`
	// A place that the brand sells in
	City        aliasValue `field:"city,required"`
	Name        textValue  `field:"name,required"`
	Street      textValue  `field:"street,required"`
	Description textValue  `field:"description"`
	pointFields
	CompanyName wordValue `field:"company_name"`
	INN         string    `field:"inn"`
	OGRN        string    `field:"ogrn"`
	Tags        []string  `field:"tags"`
	// How long an order takes
	CookingMinutes int `field:"cooking_minutes" min:"0" max:"1440" default:"30"`
	stopFields
	// When it is open
	Hours mappingOf[hoursFields] `field:"hours,required"`
	// Minutes of work per interval; absent is no limit
	Ceiling mappingOf[ceilingFields] `field:"ceiling"`
	// Minutes of work per interval on products of a group; absent is no limit
	CeilingGroups mapOf[groupCeiling] `field:"ceiling_groups"`
}

// hoursFields are the working hours of a shop.
type hoursFields struct {
	// By weekday, 1 is Monday, or a range like 1-5; an absent day is closed
	Default mapOf[spansValue] `field:"default,required" keys:"weekdays"`
	// By date; today means whatever day it is
	Custom mapOf[spansValue] `field:"custom" keys:"dates"`
}

// ceilingFields are the ceilings of a shop.
type ceilingFields struct {
	Delivery *int `field:"delivery" min:"0" max:"100000"`
	Takeaway *int `field:"takeaway" min:"0" max:"100000"`
}

// maxCeiling is the greatest ceiling of a group.
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
	f, object := readFields[shopFields](v)
	s := geo.Shop{
		ID: b.readID(f.ID, "shop"), Alias: b.readAlias(f.Alias, b.kindOf("shop")),
		Name: f.Name.localizedText(b.texts), Street: f.Street.localizedText(b.texts), Description: f.Description.localizedText(b.texts),
		Point: f.point(), CookingMinutes: f.CookingMinutes, Tags: f.Tags, CompanyName: f.CompanyName.readContact("company_name"), INN: f.INN, OGRN: f.OGRN,
		Ceilings: map[site.OrderType]int{}, GroupCeilings: map[int64]int{},
	}
	if !s.Point.Valid() {
		v.addFault("there is no place at %v, %v", s.Point.Latitude, s.Point.Longitude)
	}
	s.Stopped, s.Alert = b.readStopped(f.stopFields, object)
	for _, t := range typesOrAll(f.OrderTypes) {
		s.Delivery = s.Delivery || t == site.Delivery
		s.Takeaway = s.Takeaway || t == site.Takeaway
	}
	b.readCeilings(f, &s)
	if city := f.City.value; !city.isNull() {
		if p, known := b.placeOf(city); known {
			s.CityID = p.city.ID
			v.checkInside(p, s.Point)
			// cities.yaml may be read after this file.
			b.later = append(b.later, func() {
				if _, sold := b.cities[p.city.Alias]; !sold && !b.isUnread("cities.yaml") {
					city.addFault("the brand does not sell in %s: it is not in cities.yaml", p.city.Alias)
				}
			})
		}
	}
	entry := catalog.ShopEntry{Shop: s}
	if !f.Hours.isNull() {
		entry.Shop.Hours, entry.Today = readHours(f.Hours)
		warnOfShortShifts(f.Hours, entry.Shop)
		warnOfOverlappingNights(f.Hours, entry.Shop)
	}
	b.shops[s.Alias] = s.ID
	b.brand.Shops = append(b.brand.Shops, entry)
}

// readCeilings sets how much work the kitchen of a shop takes.
func (b *brandReader) readCeilings(f *shopFields, s *geo.Shop) {
	ceilings, _ := f.Ceiling.readMapping()
	for t, minutes := range map[site.OrderType]*int{site.Delivery: ceilings.Delivery, site.Takeaway: ceilings.Takeaway} {
		if minutes == nil {
			continue
		}
		s.Ceilings[t] = *minutes
		if *minutes == 0 {
			f.Ceiling.addWarning("%s takes no orders for %s: a ceiling of 0 minutes is no work at all", s.Alias, t)
		}
	}
	if f.CeilingGroups.isNull() {
		return
	}
	groups := f.CeilingGroups.toObject()
	for _, k := range groups.keys {
		id, known := b.groups[k.name]
		if !known {
			b.addUnknown(k.value, "product group", k.name)
		}
		s.GroupCeilings[id] = int(groups.fields[k.name].toInt(0, maxCeiling))
	}
}

// warnOfShortShifts adds a warning for a shop that can cook nothing on a usual day, because it is never open for as long
// as an order takes.
func warnOfShortShifts(v mappingOf[hoursFields], s geo.Shop) {
	if len(s.Hours.Custom) > 0 {
		return
	}
	for _, spans := range s.Hours.Default {
		for _, span := range spans {
			if span.To-span.From >= s.CookingMinutes {
				return
			}
		}
	}
	v.addWarning("%s takes no orders: no shift is as long as its cooking_minutes, %d", s.Alias, s.CookingMinutes)
}

// warnOfOverlappingNights adds a warning for each day whose last shift ends on the next day after that day's first
// shift has begun.
func warnOfOverlappingNights(v mappingOf[hoursFields], s geo.Shop) {
	warn := func(first, second string, spans, next []schedule.Span) {
		if len(spans) == 0 || len(next) == 0 {
			return
		}
		if end, begin := spans[len(spans)-1].To-clock.MinutesPerDay, next[0].From; end > begin {
			v.addWarning("%s: the shift of %s lasts until %s, and that of %s begins at %s",
				s.Alias, first, schedule.FormatClock(end), second, schedule.FormatClock(begin))
		}
	}
	const daysPerWeek = 7
	for day := 1; day <= daysPerWeek; day++ {
		next := day%daysPerWeek + 1
		warn(fmt.Sprintf("weekday %d", day), fmt.Sprintf("weekday %d", next), s.Hours.Default[day], s.Hours.Default[next])
	}
	for _, date := range slices.SortedFunc(maps.Keys(s.Hours.Custom), clock.Day.Compare) {
		for _, day := range [...]clock.Day{date.Add(-1), date} {
			warn(day.String(), day.Add(1).String(), s.Hours.SpansOn(day), s.Hours.SpansOn(day.Add(1)))
		}
	}
}

// readHours reads working hours, and separately the spans of the special date today, nil for none.
func readHours(v mappingOf[hoursFields]) (schedule.Hours, *[]schedule.Span) {
	hours, _ := v.readMapping()
	h := schedule.Hours{Default: map[int][]schedule.Span{}, Custom: map[clock.Day][]schedule.Span{}}
	var ofToday *[]schedule.Span
	if !hours.Default.isNull() {
		f := hours.Default.toObject()
		for _, k := range f.keys {
			spans := spansValue{f.fields[k.name]}.readSpans()
			for _, day := range k.readWeekdays() {
				if _, twice := h.Default[day]; twice {
					k.addFault("weekday %d stands here twice", day)
				}
				h.Default[day] = spans
			}
		}
	}
	if !hours.Custom.isNull() {
		f := hours.Custom.toObject()
		for _, k := range f.keys {
			spans := spansValue{f.fields[k.name]}.readSpans()
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
	if err := h.Check(); err != nil {
		v.addFault("%v", err)
	}
	return h, ofToday
}

// readWeekdays returns the weekdays that a key like "7" or "1-4" names. For any other key it adds a fault
// and returns nil.
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

// readSpans returns the spans of a list such as "10:00-22:00", never nil. It adds a fault for one that cannot
// be read, and leaves it out.
func (v spansValue) readSpans() []schedule.Span {
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
