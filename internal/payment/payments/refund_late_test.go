package payments_test

import (
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"servery/internal/acquiring"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/paytest/clients"
	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/money"
	"servery/internal/order/orders"
	"servery/internal/order/ordertest"
	"servery/internal/payment"
	"servery/internal/payment/payments"
)

// part is what each refund of these tests is of.
const part money.Amount = 40 * money.Scale

// forgetful is a house with an order that was paid by the card form, whose acquirer forgets the id of a
// refund after an hour.
type forgetful struct {
	*faultyHouse

	payer *payer
	diary *ordertest.Diary
}

// newForgetful returns a house with a paid order.
func newForgetful(t *testing.T, d *db.DB) *forgetful {
	t.Helper()
	for _, c := range clients.ListClients() {
		if c.Name != "cardform" {
			continue
		}
		f := &forgetful{faultyHouse: newFaultyHouse(t, d, c), diary: &ordertest.Diary{}}
		acquirer, err := c.Make(f.server.URL, f.Clock)
		if err != nil {
			t.Fatal(err)
		}
		f.StartProcess(t, orders.Options{}, payments.Options{
			Accounts: acquiring.Accounts{f.shop.brand: {carttest.Account: acquirer}}, Log: slog.New(slog.NewTextHandler(f.diary, nil)),
		})
		f.Import(t, carttest.Online(carttest.BankPage))
		f.payer = &payer{
			faultyHouse: f.faultyHouse, name: "customer", dice: rand.New(rand.NewPCG(1, 2)),
			visitor: f.Visitor(t, f.shop.brand), way: waysOf(c, carttest.BankPage)[0],
		}
		f.payer.place(t)
		f.payer.pay(t, noVerifyParam)
		f.Clock.Advance(time.Minute)
		f.sweep(t)
		f.payer.followPayment(t)
		if f.payer.last.Status != payment.StatusPaid {
			t.Fatalf("the order is %s", f.payer.last.Status)
		}
		return f
	}
	t.Fatal("no client of the card form")
	return nil
}

// refund refunds an amount under a key, while calls for refunds fail as the fault says, and sweeps once.
func (f *forgetful) refund(t *testing.T, key string, fault double.Fault) {
	t.Helper()
	f.bank.ArmFault("refund", fault)
	request := payment.RefundRequest{Key: key, Reason: "cold", Amount: part}
	if _, err := f.Orders.Refund(t.Context(), f.payer.order.ID, request, f.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	f.sweep(t)
}

// sweepFor sweeps every five minutes.
func (f *forgetful) sweepFor(t *testing.T, d time.Duration) {
	t.Helper()
	for range d / (5 * time.Minute) {
		f.Clock.Advance(5 * time.Minute)
		f.sweep(t)
	}
}

// wantRefunds fails the test unless the acquirer has returned parts in all, and the refunds of the order
// have these states.
func (f *forgetful) wantRefunds(t *testing.T, parts int, states ...payment.RefundState) {
	t.Helper()
	if _, _, returned := f.bank.SumCharged(string(f.bank.PaymentsOf(double.AnyID)[0].ID)); returned != part*money.Amount(parts) {
		t.Errorf("%s returned, want %d times %s", returned, parts, part)
	}
	found, err := f.Orders.FindWithPayment(t.Context(), f.payer.order.ID)
	if err != nil {
		t.Fatal(err)
	}
	var got []payment.RefundState
	for _, r := range found.Payment.Refunds {
		got = append(got, r.State)
	}
	if !slices.Equal(got, states) {
		t.Errorf("the refunds are %v, want %v", got, states)
	}
}

// A part is refunded, the answer is lost, and the process is away for more than an hour, after which the
// acquirer carries out a repeated request again. The part is returned once, and the refund found.
func TestRefund_isMadeOnceAlthoughTheAcquirerForgetsItsID(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newForgetful(t, d)
		f.refund(t, "part", double.LostAfter)
		f.wantRefunds(t, 1, payment.RefundRunning)
		f.bank.ClearFaults()
		f.Clock.Advance(2 * time.Hour)
		f.sweepFor(t, time.Hour)
		f.wantRefunds(t, 1, payment.RefundDone)
	})
}

// A second part is refunded and the answer is lost for more than an hour. It may be mistaken for the first,
// so it is not sent again: a person is alerted, and the outcome stays unknown.
func TestRefund_thatIsTooOldToBeSentAgainIsLeftToAPerson(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newForgetful(t, d)
		f.refund(t, "first", double.NoFault)
		f.wantRefunds(t, 1, payment.RefundDone)
		f.Clock.Advance(time.Minute)
		f.refund(t, "second", double.LostAfter)
		f.bank.ArmFault("refund", double.BadBefore)
		f.sweepFor(t, 50*time.Minute)
		f.bank.ClearFaults()
		sent := f.bank.CountRequests("refund")
		f.sweepFor(t, 3*time.Hour)
		f.wantRefunds(t, 2, payment.RefundDone, payment.RefundRunning)
		if n := f.bank.CountRequests("refund"); n != sent {
			t.Errorf("it was sent %d times more", n-sent)
		}
		if f.diary.Count("alert=true kind=refund_unknown") == 0 {
			t.Error("no person was alerted")
		}
	})
}

// The acquirer takes no requests for two hours. Nothing was sent, so the refund is made afterwards.
func TestRefund_thatWasNeverSentIsMadeHoweverLateItIs(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newForgetful(t, d)
		f.refund(t, "part", double.Busy)
		f.wantRefunds(t, 0, payment.RefundWaiting)
		f.sweepFor(t, 2*time.Hour)
		f.bank.ClearFaults()
		f.sweepFor(t, time.Hour)
		f.wantRefunds(t, 1, payment.RefundDone)
	})
}
