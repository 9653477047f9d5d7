package convert

import (
	"servery/internal/feedback"
	"servery/internal/server/wire"
)

// FormFields converts the fields of a form besides name and phone.
func FormFields(f feedback.Fields) wire.FormFields {
	return wire.FormFields{
		Email: OrNil(f.Email), Message: OrNil(f.Message), CityName: OrNil(f.CityName), Company: OrNil(f.Company),
		ProductCategory: OrNil(f.ProductCategory), Shop: OrNil(f.Shop), Square: OrNil(f.Square),
		OrderID: OrNil(f.OrderID), Wish: OrNil(wire.ReturnWish(f.Wish)),
	}
}
