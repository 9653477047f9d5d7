package payments_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/paytest/clients"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/payment"
)

// Unsigned webhooks name payments which were never begun here, also with the reference of one
// that was. The acquirer is not asked about any. It is asked about a payment of the account, and that is
// applied.
func TestHandleWebhook_asksOnlyAboutAttemptsOfTheAccountWhenNothingIsSigned(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, c := range clients.ListClients() {
			if c.Signed != nil {
				continue
			}
			t.Run(c.Name, func(t *testing.T) {
				h := newFaultyHouse(t, dbtest.Open(t, d.Engine()), c)
				h.Import(t, carttest.Online(carttest.BankPage))
				p := &payer{
					faultyHouse: h, name: "customer", dice: rand.New(rand.NewPCG(1, 2)), visitor: h.Visitor(t, h.shop.brand),
					way: waysOf(c, carttest.BankPage)[0], idle: true,
				}
				p.place(t)
				p.pay(t, noVerifyParam)
				begun := h.bank.PaymentsOf(double.AnyID)[0]
				deliver := func(of double.Payment) acquiring.Reply {
					return h.Payments.HandleWebhook(t.Context(), p.visitor.Site, carttest.Account, c.Callback(of, h.Clock))
				}
				asked := len(h.bank.ListRequests())
				for i := range 10 {
					invented := double.Payment{Ref: h.bank.NewUUID(), ID: fmt.Sprintf("invented-%d", i), Amount: 100, Currency: c.Currency, State: double.Paid}
					if reply := deliver(invented); reply.Status != http.StatusOK {
						t.Errorf("an invented one is answered %d", reply.Status)
					}
					invented.Ref = begun.Ref
					deliver(invented)
					invented.ID = ""
					deliver(invented)
					invented.Refunds = []double.Refund{{Ref: "refund-1", Amount: 100}}
					deliver(invented)
				}
				if n := len(h.bank.ListRequests()) - asked; n != 0 {
					t.Errorf("the acquirer was asked %d times about nothing", n)
				}
				h.bank.SettlePayment(begun.Ref, isPaid)
				paid, _ := h.bank.FindPayment(begun.Ref)
				if reply := deliver(paid); reply.Status != http.StatusOK {
					t.Errorf("a genuine one is answered %d", reply.Status)
				}
				h.bank.ArmFault("", double.Busy) // the page cannot ask by itself
				if p.followPayment(t); p.last.Status != payment.StatusPaid {
					t.Errorf("the order is %s", p.last.Status)
				}
			})
		}
	})
}
