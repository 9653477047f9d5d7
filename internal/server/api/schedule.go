package api

import (
	"context"
	"strings"

	"servery/internal/cart"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/schedule"
	"servery/internal/server/contentwire"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
	"servery/internal/visit"
)

// times has what the intervals for the visitor's cart at a place are computed from.
type times struct {
	localizer

	quoted cart.Quoted
	plan   schedule.Plan
	v      visit.Context
}

// timesOf returns the times of a place, with the visitor's cart priced there: a full cart takes more of an
// interval than an empty one. It saves nothing.
func (s *Server) timesOf(ctx context.Context, p cart.PlaceRequest) (times, error) {
	v, err := s.visits.ReadOnly(ctx)
	if err != nil {
		return times{}, err
	}
	q, err := s.Carts.Preview(ctx, v, p)
	if err != nil {
		return times{}, err
	}
	return times{localizerOf(v), q, q.Spot.Plan(), v}, nil
}

// ListIntervals is POST /schedule/intervals: it returns the days on which an order can be had at a place,
// and the intervals of one of these days. Intervals without room for the visitor's cart are disabled, and
// the message says when only a smaller cart has room. Nothing is reserved.
func (s *Server) ListIntervals(ctx context.Context, req wire.ListIntervalsRequestObject) (wire.ListIntervalsResponseObject, error) {
	b := req.Body
	t, err := s.timesOf(ctx, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID))
	if err != nil {
		return nil, err
	}
	today := t.plan.Today(t.v.Now)
	answer := wire.Intervals{
		Now: t.v.Now.Unix(), DateToday: today.String(), Dates: []wire.IntervalDate{},
	}
	dates := t.plan.Dates(t.v.Now)
	for _, d := range dates {
		answer.Dates = append(answer.Dates, t.date(d))
	}
	shown, err := s.dayToShow(ctx, t, b.Date, dates)
	if err != nil {
		return nil, err
	}
	answer.Date = shown.day.String()
	answer.Intervals = t.Intervals(shown.intervals, t.plan, t.v.Now)
	if isAllTaken(shown.notice) && t.quoted.IsLarge() {
		if shown.notice, err = s.Carts.WhyTooLarge(ctx, t.v, t.quoted); err != nil {
			return nil, err
		}
	}
	if shown.notice.Key != "" {
		answer.Message = convert.OrNil(t.Message(shown.notice))
	}
	return wire.ListIntervals200JSONResponse(answer), nil
}

// shownDay is a day with its intervals.
type shownDay struct {
	day       clock.Day
	intervals []schedule.Interval
	// isFree says that an interval can be chosen.
	isFree bool
	// notice says why nothing can be chosen on the day or, when the day is the first free one after
	// today, why nothing can be chosen today. It has no key when there is nothing to say.
	notice fault.Message
}

// dayToShow returns the day that the request asks for. Without a day in the request it returns the
// first day on which an interval can be chosen, with the notice why none can be chosen today. It
// returns today when there is no such day.
func (s *Server) dayToShow(ctx context.Context, t times, date *string, dates []schedule.Date) (shownDay, error) {
	today := t.plan.Today(t.v.Now)
	day, err := dayOr(date, today)
	if err != nil {
		return shownDay{}, err
	}
	shown, err := s.showDay(ctx, t, day)
	if err != nil || convert.ValueOf(date) != "" || shown.isFree {
		return shown, err
	}
	for _, d := range dates {
		if d.IsToday {
			continue
		}
		later, err := s.showDay(ctx, t, d.Day)
		if err != nil {
			return shownDay{}, err
		}
		if later.isFree {
			later.notice = namingToday(shown.notice)
			return later, nil
		}
	}
	return shown, nil
}

// showDay returns the intervals of a day for the visitor's cart.
func (s *Server) showDay(ctx context.Context, t times, day clock.Day) (shownDay, error) {
	list, err := s.Carts.Intervals(ctx, t.v, t.quoted, day)
	if err != nil {
		return shownDay{}, err
	}
	notice, isNone := t.plan.Notice(day == t.plan.Today(t.v.Now), t.v.Now, list, t.quoted.Spot.OrderType)
	return shownDay{day, list, !isNone, notice}, nil
}

// isAllTaken reports whether a notice says that no interval has room.
func isAllTaken(notice fault.Message) bool {
	return strings.HasPrefix(notice.Key, "schedule.all_taken")
}

// namingToday returns a notice about today for the list of another day: "every slot of this day is
// taken" becomes "every slot of today is taken".
func namingToday(notice fault.Message) fault.Message {
	switch notice.Key {
	case "schedule.all_taken", "schedule.all_taken_delivery":
		notice.Key += "_today"
	}
	return notice
}

// dayOr reads the day that a request asks about, or returns fallback when it names none.
func dayOr(date *string, fallback clock.Day) (clock.Day, error) {
	if date == nil || *date == "" {
		return fallback, nil
	}
	day, err := clock.ParseDay(*date)
	if err != nil {
		return day, fault.New(fault.Invalid, "common.invalid", fault.Field("date", "common.not_allowed"), fault.Because(err))
	}
	return day, nil
}

// date converts a day on which an order can be had.
func (s localizer) date(d schedule.Date) wire.IntervalDate {
	w := wire.IntervalDate{
		DateString: d.Day.String(), DayName: s.Weekday(d.Day), IsToday: d.IsToday, IsTomorrow: d.IsTomorrow,
		FormattedString: s.DayMonth(d.Day),
	}
	switch {
	case d.IsToday:
		w.DayName = s.Message(fault.Message{Key: "date.today"})
	case d.IsTomorrow:
		w.DayName = s.Message(fault.Message{Key: "date.tomorrow"})
	}
	return w
}

// GetTimeSettings is POST /schedule/time-settings: it returns how long cooking and delivery take at a
// place, and the start of each interval of a day that can be chosen for the visitor's cart, without "as
// soon as possible".
func (s *Server) GetTimeSettings(ctx context.Context, req wire.GetTimeSettingsRequestObject) (wire.GetTimeSettingsResponseObject, error) {
	b := req.Body
	t, err := s.timesOf(ctx, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID))
	if err != nil {
		return nil, err
	}
	day, err := dayOr(b.Date, t.plan.Today(t.v.Now))
	if err != nil {
		return nil, err
	}
	list, err := s.Carts.Intervals(ctx, t.v, t.quoted, day)
	if err != nil {
		return nil, err
	}
	settings := wire.TimeSettings{TimeList: []string{}}
	for _, i := range list {
		if !i.Disabled && !i.IsASAP() {
			settings.TimeList = append(settings.TimeList, i.Start.In(t.quoted.Spot.City.Location).Format("15:04"))
		}
	}
	if t.quoted.Spot.Shop != nil {
		settings.CookingTime = t.quoted.Spot.Shop.CookingMinutes + contentwire.MinutesOf(t.plan.Kitchen.Delay(t.v.Now))
	}
	if t.quoted.Spot.Zone != nil {
		settings.DeliveryTime = t.quoted.Spot.Zone.DeliveryMinutes
	}
	return wire.GetTimeSettings200JSONResponse{TimeSettings: settings}, nil
}

// ListPaymentTypes is POST /user/payment-types: it returns how an order can be paid at a place.
func (s *Server) ListPaymentTypes(ctx context.Context, req wire.ListPaymentTypesRequestObject) (wire.ListPaymentTypesResponseObject, error) {
	b := req.Body
	v := s.visits.Context(ctx)
	spot, err := cart.FindPlace(v, toPlaceRequest(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID))
	if err != nil {
		return nil, err
	}
	answer := wire.ListPaymentTypes200JSONResponse{PaymentTypes: []wire.PaymentType{}}
	for _, alias := range s.Payments.PaymentTypes(v.Site, spot.City, spot.OrderType) {
		answer.PaymentTypes = append(answer.PaymentTypes, localizerOf(v).PaymentType(alias, spot.OrderType))
	}
	return answer, nil
}
