package operator

import (
	"context"

	"servery/internal/audit"
	"servery/internal/server/convert"
	"servery/internal/server/wire"
)

// usualAudit is how many changes a page has when the call names no limit.
const usualAudit = 50

// OperatorListAudit is GET /operator/audit: it returns who changed what in the scope of the caller, the
// newest first.
func (c *Calls) OperatorListAudit(ctx context.Context, req wire.OperatorListAuditRequestObject) (wire.OperatorListAuditResponseObject, error) {
	p := req.Params
	scope := scopeOf(ctx, convert.ValueOf(p.Site), convert.ValueOf(p.ShopID))
	filter := audit.Filter{
		Site: scope.Site, Shops: scope.Shops, Subject: convert.ValueOf(p.Subject), SubjectID: convert.ValueOf(p.SubjectID),
		Who: convert.ValueOf(p.Who), Since: convert.ValueOf(p.Since), Until: convert.ValueOf(p.Until), Before: convert.ValueOf(p.Before), Limit: usualAudit,
	}
	if p.Limit != nil {
		filter.Limit = *p.Limit
	}
	page, next, err := c.audit.List(ctx, filter)
	answer := wire.OperatorListAudit200JSONResponse{Changes: make([]wire.AuditEntry, len(page)), Next: convert.OrNil(next)}
	for i, e := range page {
		answer.Changes[i] = wire.AuditEntry{
			ID: e.ID, At: e.At, Kind: wire.AuditEntryKind(e.Kind), Name: e.Name, Person: convert.OrNil(e.Person), Call: e.Call,
			Site: convert.OrNil(e.Site), ShopID: convert.OrNil(e.ShopID), Subject: e.Subject, SubjectID: e.Entry.ID,
			Before: e.Before, After: e.After,
		}
	}
	return answer, err
}
