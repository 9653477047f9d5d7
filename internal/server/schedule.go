package server

import (
	"context"
	"strconv"

	"servery/internal/cart"
	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/schedule"
	"servery/internal/server/wire"
	"servery/internal/site"
)

// times is what the intervals of the visitor's order follow from.
type times struct {
	speech

	quoted cart.Quoted
	plan   schedule.Plan
	v      cart.Visitor
}

// timesOf prices the visitor's cart at the place, because a full cart takes more of an
// interval than an empty one.
func (s *Server) timesOf(ctx context.Context, p cart.Place) (times, error) {
	v, err := s.look(ctx)
	if err != nil {
		return times{}, err
	}
	q, err := s.Carts.Look(ctx, v, p)
	if err != nil {
		return times{}, err //nolint:wrapcheck // a fault of the area
	}
	return times{words(v), q, q.Spot.Plan(), v}, nil
}

// ListIntervals is POST /schedule/intervals.
func (s *Server) ListIntervals(ctx context.Context, req wire.ListIntervalsRequestObject) (wire.ListIntervalsResponseObject, error) {
	b := req.Body
	t, err := s.timesOf(ctx, wirePlace(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID))
	if err != nil {
		return nil, err
	}
	today := t.plan.Today(t.v.Now)
	answer := wire.Intervals{DateToday: today.String(), Date: today.String(), Dates: []wire.IntervalDate{}, Intervals: []wire.Interval{}}
	dates := t.plan.Dates(t.v.Now)
	for _, d := range dates {
		answer.Dates = append(answer.Dates, t.date(d))
	}
	day := today
	if len(dates) > 0 {
		day = dates[0].Day
	}
	if day, err = dayOr(b.Date, day); err != nil {
		return nil, err
	}
	list, err := s.Carts.Intervals(ctx, t.v, t.quoted, day)
	if err != nil {
		return nil, err //nolint:wrapcheck // a fault of the area
	}
	answer.Date = day.String()
	for _, i := range list {
		answer.Intervals = append(answer.Intervals, t.interval(i, t.plan, t.v.Now))
	}
	if notice, ok := t.plan.Notice(day == today, t.v.Now, list, site.OrderType(b.OrderType)); ok {
		answer.Message = orNil(t.message(notice))
	}
	return wire.ListIntervals200JSONResponse(answer), nil
}

// dayOr reads the day that a request asks about, which is the other one where it says
// nothing.
func dayOr(asked *string, other clock.Day) (clock.Day, error) {
	if asked == nil || *asked == "" {
		return other, nil
	}
	day, err := clock.ParseDay(*asked)
	if err != nil {
		return day, fault.New(fault.Invalid, "common.invalid", fault.Field("date", "common.not_allowed"), fault.Because(err))
	}
	return day, nil
}

func (s speech) date(d schedule.Date) wire.IntervalDate {
	month := s.message(fault.Message{Key: "date.month_" + strconv.Itoa(int(d.Day.Month))})
	w := wire.IntervalDate{
		DateString: d.Day.String(), DayName: s.weekday(d.Day), IsToday: d.IsToday, IsTomorrow: d.IsTomorrow,
		FormattedString: s.message(fault.Message{Key: "date.day", Args: fault.Args{"day": d.Day.Day, "month": month}}),
	}
	switch {
	case d.IsToday:
		w.DayName = s.message(fault.Message{Key: "date.today"})
	case d.IsTomorrow:
		w.DayName = s.message(fault.Message{Key: "date.tomorrow"})
	}
	return w
}

// GetTimeSettings is POST /schedule/time-settings.
func (s *Server) GetTimeSettings(ctx context.Context, req wire.GetTimeSettingsRequestObject) (wire.GetTimeSettingsResponseObject, error) {
	b := req.Body
	t, err := s.timesOf(ctx, wirePlace(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID))
	if err != nil {
		return nil, err
	}
	day, err := dayOr(b.Date, t.plan.Today(t.v.Now))
	if err != nil {
		return nil, err
	}
	list, err := s.Carts.Intervals(ctx, t.v, t.quoted, day)
	if err != nil {
		return nil, err //nolint:wrapcheck // a fault of the area
	}
	settings := wire.TimeSettings{TimeList: []string{}}
	for _, i := range list {
		if !i.Disabled && !i.IsASAP() {
			settings.TimeList = append(settings.TimeList, i.Start.In(t.quoted.Spot.City.Location).Format("15:04"))
		}
	}
	if t.quoted.Spot.Shop != nil {
		settings.CookingTime = t.quoted.Spot.Shop.CookingMinutes
	}
	if t.quoted.Spot.Zone != nil {
		settings.DeliveryTime = t.quoted.Spot.Zone.DeliveryMinutes
	}
	return wire.GetTimeSettings200JSONResponse{TimeSettings: settings}, nil
}

// ListPaymentTypes is POST /user/payment-types.
func (s *Server) ListPaymentTypes(ctx context.Context, req wire.ListPaymentTypesRequestObject) (wire.ListPaymentTypesResponseObject, error) {
	b := req.Body
	v := s.visit(ctx)
	spot, err := v.At(wirePlace(b.CityID, b.OrderType, b.ShopID, b.DeliveryZoneID))
	if err != nil {
		return nil, err //nolint:wrapcheck // a fault of the area
	}
	answer := wire.ListPaymentTypes200JSONResponse{PaymentTypes: []wire.PaymentType{}}
	for _, alias := range s.Orders.PaymentTypes(v.Site, spot.City, spot.OrderType) {
		answer.PaymentTypes = append(answer.PaymentTypes, words(v).paymentType(alias, spot.OrderType))
	}
	return answer, nil
}

func (s speech) paymentType(alias string, orderType site.OrderType) wire.PaymentType {
	key, isOnline := "payment."+alias, site.IsOnline(alias)
	if !isOnline {
		key += "_" + string(orderType) // to whom it is paid
	}
	return wire.PaymentType{Alias: wire.PaymentTypeAlias(alias), Name: s.message(fault.Message{Key: key}), IsOnline: isOnline}
}
