package api

import (
	"context"

	"servery/internal/fault"
	"servery/internal/report"
	"servery/internal/server/convert"
	"servery/internal/server/request"
	"servery/internal/server/wire"
)

// errorsPerHour is how many errors one network address may report: a page sends a few, and an office
// has one address.
const errorsPerHour = 60

// ReportError is POST /errors: it forwards an error that a page met to the server of error reports, where
// one is configured. Calls are limited by network address.
func (s *Server) ReportError(ctx context.Context, req wire.ReportErrorRequestObject) (wire.ReportErrorResponseObject, error) {
	in := request.From(ctx)
	if wait := s.errors.CountCall(in.ClientIP, s.clock.Now()); wait > 0 {
		return nil, fault.New(fault.TooMany, "common.too_many_requests", fault.RetryAfter(wait))
	}
	if s.reportsErrors() {
		b := req.Body
		s.reports.ReportPage(report.PageError{
			Site: in.Site.Alias, Kind: string(b.Kind), Name: b.Name, Message: b.Message, Stack: convert.ValueOf(b.Stack),
			Route: b.Route, UserAgent: in.Request.UserAgent(),
		})
	}
	return wire.ReportError204Response{}, nil
}

// reportsErrors reports whether errors of pages are sent on, so that pages report them.
func (s *Server) reportsErrors() bool { return s.reports != nil && s.reports.IsOn() }
