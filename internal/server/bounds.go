package server

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"servery/internal/access"
	"servery/internal/fault"
	"servery/internal/order"
)

// within says which part of an operator's call must be in the scope of its principal. The contract names
// it for each call.
type within string

// What the scope is compared with.
const (
	// withinOrder is the order of the path. Another one is answered like one that does not exist.
	withinOrder within = "order"
	// withinShop is the shop that the call names; without one it concerns all shops of the brand.
	withinShop within = "shop"
	// withinBrand is the whole brand.
	withinBrand within = "brand"
	// withinFound is what the call finds: its handler leaves out or refuses what is not in the scope.
	withinFound within = "found"
)

// operatorRule is what an operator's call needs.
type operatorRule struct {
	right  access.Right
	within within
}

// Two rules stand in the place of a right in the contract.
const (
	// publicCall needs no principal: it begins a session.
	publicCall access.Right = "public"
	// selfCall needs a principal, and concerns nobody but them.
	selfCall access.Right = "self"
)

// readRule returns the rule of an operator's call in the contract. It fails when x-right or x-within is
// missing or unknown.
func readRule(op *openapi3.Operation) (operatorRule, error) {
	right, _ := op.Extensions["x-right"].(string)
	bound, _ := op.Extensions["x-within"].(string)
	rule := operatorRule{access.Right(right), within(bound)}
	if isRight := access.AllRights().Has(rule.right); !isRight && rule.right != publicCall && rule.right != selfCall {
		return rule, fmt.Errorf("x-right %q is no right", right)
	}
	if !slices.Contains([]within{withinOrder, withinShop, withinBrand, withinFound}, rule.within) {
		return rule, fmt.Errorf("x-within %q is unknown", bound)
	}
	return rule, nil
}

// checkScope returns nil for a call in the scope of its principal. Its faults are order.not_found (NotFound)
// for an order, common.forbidden (Forbidden) at site or shop_id for another brand or shop, and
// order.courier_taken (Conflict) for an order that another courier brings.
func (s *Server) checkScope(r *http.Request, bound within, body any) error {
	p := access.From(r.Context())
	switch {
	case bound == withinOrder && (p.Site != "" || p.IsCourier()):
		return s.checkOrderScope(r, p)
	case bound == withinOrder || p.Site == "": // the scope has all brands
		return nil
	}
	site, shopID := namedPlace(r, body)
	isNamed := shopID != 0
	switch {
	case site != "" && !p.HasSite(site):
		return refusePlace("site")
	case len(p.Shops) == 0: // the scope has all shops of the brand
		return nil
	case bound == withinBrand: // the call concerns all shops, the scope has some
		return refusePlace("site")
	case isNamed && !p.HasShop(p.Site, shopID):
		return refusePlace("shop_id")
	case bound == withinShop && !isNamed:
		return refusePlace("shop_id")
	}
	return nil
}

// checkOrderScope returns order.not_found (NotFound) unless the order of the path is in the scope, and
// order.courier_taken (Conflict) when a courier would change an order that another courier brings.
func (s *Server) checkOrderScope(r *http.Request, p access.Principal) error {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return order.NotFound()
	}
	place, err := s.Orders.FindPlace(r.Context(), id)
	switch {
	case err != nil:
		return err
	case p.Site != "" && !p.HasShop(place.Site, place.ShopID):
		return order.NotFound()
	case p.IsCourier() && r.Method != http.MethodGet && place.CourierID != "" && place.CourierID != p.Name:
		return order.CourierTaken(place.CourierID)
	}
	return nil
}

// namedPlace returns the brand and the shop that a call names in its query, its body or the cart in its
// body; empty and 0 where it names none. The body counts before the query.
func namedPlace(r *http.Request, body any) (site string, shopID int64) {
	query := r.URL.Query()
	site = query.Get("site")
	shopID, _ = strconv.ParseInt(query.Get("shop_id"), 10, 64)
	fields, _ := body.(map[string]any)
	if cart, ok := fields["cart"].(map[string]any); ok {
		fields = cart
	}
	if named, ok := fields["site"].(string); ok {
		site = named
	}
	if id, ok := fields["shop_id"].(float64); ok {
		shopID = int64(id)
	}
	return site, shopID
}

// refusePlace returns common.forbidden (Forbidden) at the field.
func refusePlace(field string) error {
	return fault.New(fault.Forbidden, "common.forbidden", fault.Field(field, "common.forbidden"))
}
