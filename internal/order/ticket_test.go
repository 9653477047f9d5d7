package order

import (
	"testing"

	"servery/internal/geo"
	"servery/internal/lang"
)

func TestOrder_Ticket_saysThatTheHouseIsNotKnown(t *testing.T) {
	t.Parallel()
	for precision, want := range map[geo.Precision]string{
		geo.AtHouse: "", geo.AtPoint: "order.ticket_point", geo.AtStreet: "order.ticket_street",
	} {
		o := Order{Details: Details{Address: &geo.Address{Precision: precision}}}
		ticket := o.Ticket(lang.RU)
		if got := len(ticket) == 1 && ticket[0].Key == want; got != (want != "") || len(ticket) > 1 {
			t.Errorf("%s: the ticket says %v", precision, ticket)
		}
	}
}
