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
const part money.Amount = 2 * money.Scale

// forgetful is a house with an order that was paid online, whose acquirer forgets the id of a refund: the
// card form after an hour, others after a day.
type forgetful struct {
	*faultyHouse

	payer *payer
	diary *ordertest.Diary
}

// cardForm is the acquirer whose refunds cannot be listed.
const cardForm = "cardform"

// newForgetful returns a house with an order that was paid at the named acquirer.
func newForgetful(t *testing.T, d *db.DB, acquirerName string) *forgetful {
	t.Helper()
	for _, c := range clients.ListClients() {
		if c.Name != acquirerName {
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
	t.Fatalf("no client of %s", acquirerName)
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

// makeByHand refunds a part at the acquirer, as a person does in its cabinet.
func (f *forgetful) makeByHand(t *testing.T) {
	t.Helper()
	byHand := double.Refund{Ref: "990001", Amount: part}
	f.bank.ChangePayment(f.bank.PaymentsOf(double.AnyID)[0].Ref, func(p *double.Payment) { p.Refunds = append(p.Refunds, byHand) })
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
		f := newForgetful(t, d, cardForm)
		f.refund(t, "part", double.LostAfter)
		f.wantRefunds(t, 1, payment.RefundRunning)
		f.bank.ClearFaults()
		f.Clock.Advance(2 * time.Hour)
		f.sweepFor(t, time.Hour)
		f.wantRefunds(t, 1, payment.RefundDone)
	})
}

// A second part of the same sum is refunded after the first, and its answer is lost for more than an hour.
// The newest refund is not the first one, so the second is done, and a third part follows it.
func TestRefund_ofALaterPartIsFound(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newForgetful(t, d, cardForm)
		f.refund(t, "first", double.NoFault)
		f.Clock.Advance(time.Minute)
		f.refund(t, "second", double.LostAfter)
		f.bank.ClearFaults()
		f.Clock.Advance(time.Minute)
		f.wantRefunds(t, 2, payment.RefundDone, payment.RefundRunning)
		f.Clock.Advance(2 * time.Hour)
		f.sweepFor(t, time.Hour)
		f.wantRefunds(t, 2, payment.RefundDone, payment.RefundDone)
		f.refund(t, "third", double.NoFault)
		f.wantRefunds(t, 3, payment.RefundDone, payment.RefundDone, payment.RefundDone)
	})
}

// A second part is sent and never arrives for more than an hour. That it is not found proves nothing, so it
// is not sent again: a person is alerted, and the outcome stays unknown.
func TestRefund_thatIsTooOldToBeSentAgainIsLeftToAPerson(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newForgetful(t, d, cardForm)
		f.refund(t, "first", double.NoFault)
		f.wantRefunds(t, 1, payment.RefundDone)
		f.Clock.Advance(time.Minute)
		f.refund(t, "second", double.BadBefore)
		f.sweepFor(t, 50*time.Minute)
		f.bank.ClearFaults()
		sent := f.bank.CountRequests("refund")
		f.sweepFor(t, 3*time.Hour)
		f.wantRefunds(t, 1, payment.RefundDone, payment.RefundRunning)
		if n := f.bank.CountRequests("refund"); n != sent {
			t.Errorf("it was sent %d times more", n-sent)
		}
		if f.diary.Count("alert=true kind=refund_unknown") == 0 {
			t.Error("no person was alerted")
		}
		f.makeByHand(t)
		f.sweepFor(t, time.Hour)
		f.wantRefunds(t, 2, payment.RefundDone, payment.RefundDone)
	})
}

// The acquirer takes no requests for two hours. Nothing was sent, so the refund is made afterwards.
func TestRefund_thatWasNeverSentIsMadeHoweverLateItIs(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newForgetful(t, d, cardForm)
		f.refund(t, "part", double.Busy)
		f.wantRefunds(t, 0, payment.RefundWaiting)
		f.sweepFor(t, 2*time.Hour)
		f.bank.ClearFaults()
		f.sweepFor(t, time.Hour)
		f.wantRefunds(t, 1, payment.RefundDone)
	})
}

// A second part of the same sum is sent to an acquirer that forgets its id after a day, and its answer is
// lost, or it never arrives. The process comes back after that: what was made is found in the acquirer's
// list, what was not is made, once.
func TestRefund_isMadeOnceByAnAcquirerThatListsRefunds(t *testing.T) {
	t.Parallel()
	for _, acquirerName := range []string{"yookassa", "stripe"} {
		for name, c := range map[string]struct {
			fault double.Fault
			made  int // parts that are returned by the first call
			sent  int // how often the second part is sent later
		}{
			"lost":   {fault: double.LostAfter, made: 2},
			"unmade": {fault: double.BadBefore, made: 1, sent: 1},
		} {
			t.Run(acquirerName+" "+name, func(t *testing.T) {
				t.Parallel()
				dbtest.Each(t, func(t *testing.T, d *db.DB) {
					f := newForgetful(t, d, acquirerName)
					f.refund(t, "first", double.NoFault)
					f.Clock.Advance(time.Minute)
					f.refund(t, "second", c.fault)
					f.wantRefunds(t, c.made, payment.RefundDone, payment.RefundRunning)
					f.bank.ClearFaults()
					sent := f.bank.CountRequests("refund")
					f.Clock.Advance(25 * time.Hour)
					f.sweepFor(t, time.Hour)
					f.wantRefunds(t, 2, payment.RefundDone, payment.RefundDone)
					if n := f.bank.CountRequests("refund") - sent; n != c.sent {
						t.Errorf("it was sent %d times more, want %d", n, c.sent)
					}
				})
			})
		}
	}
}
