// Package acquiring takes and refunds money through acquirers.
//
// It knows no orders: a payment is an id, a sum and a way to pay. The caller writes the
// payment down before it calls [Acquirer].StartPayment, calls outside of any transaction, and
// keeps what came back. What follows - an answer, a callback, a poll - is an [Event],
// and all of them may be applied any number of times.
//
// The rule of the package: only what an acquirer clearly said is believed. A time-out, a
// status 5xx, an answer that was cut off or cannot be read is [Unknown], never a refusal,
// because the money may have been taken; [Acquirer].QueryStatus says later.
//
// Sums are whole minor units, hundredths, with a currency. Each acquirer's own form of a
// sum is made and read in its adapter, by digits, never by binary fractions.
package acquiring

import (
	"context"
	"time"
)

// Acquirer takes and returns money. The adapters are in the folders beside; each is safe
// for concurrent use and keeps nothing of a payment in memory.
//
// An error of any method is an [*Error] and holds neither secrets nor card data.
type Acquirer interface {
	// Name is how the acquirer is called in settings, paths of callbacks and logs.
	Name() string

	// SupportsMethod reports whether payments of that method can be started.
	SupportsMethod(m Method) bool

	// ReceiptSupport is what the acquirer does about fiscal receipts.
	ReceiptSupport() ReceiptSupport

	// LoadSettings is what the page needs before it can pay by the method.
	LoadSettings(ctx context.Context, m Method) (Settings, error)

	// StartPayment begins the payment, or returns what was begun under the same id: however often
	// it is called with the same intent, money is taken at most once. All fields must be
	// the same in each call, but for Token and VerifyParam after [Prepared].
	//
	// An error says that this call took nothing: the intent cannot be paid here, its
	// deadline is over, the acquirer could not be reached at all or refused the account.
	// It says nothing about earlier calls under the same id.
	StartPayment(ctx context.Context, in Intent) (Next, error)

	// Finish3DS submits the result of the bank's page, or reports that the hidden step of
	// 3-D Secure 2 is over. With some acquirers a result can be used once, so it must be
	// submitted only once and its outcome stored. A result for another payment than the
	// named one is an error of kind [Foreign].
	Finish3DS(ctx context.Context, result ThreeDSResult) (Next, error)

	// QueryStatus reads the payment from the acquirer. An error means that it is not known
	// now. A payment that the acquirer does not know is [Absent]: the request may
	// still be on its way, so it is final only when the deadline is well over.
	QueryStatus(ctx context.Context, which Lookup) (Event, error)

	// CancelPayment makes sure, as far as the acquirer can, that the payment is not paid any
	// more, and releases held money. It returns what the payment is afterwards: [Failed] is
	// certain; a [Paid] one was paid before and is to be refunded; a [Pending] one cannot be
	// stopped and may still be paid until it ends at the acquirer.
	CancelPayment(ctx context.Context, which Lookup) (Event, error)

	// RefundPayment refunds a part or all of a paid payment, once for each refund id.
	// An error says that this call refunded nothing. One of kind [Late] says besides that an
	// earlier call may have done so, and that the refund is not sent again: a person has to look.
	RefundPayment(ctx context.Context, r Refund) (Refunded, error)

	// VerifyCallback returns the notice of a genuine callback. It checks the signature. Where
	// nothing is signed, it makes no call and returns which payment the callback names; see
	// [Notice].Claim. The sum in the event is what the acquirer says; compare it with [CheckEvent].
	// An error comes with the reply to send: one of kind [Forged] is refused, one of kind [Lost] asks
	// the acquirer to send it again.
	VerifyCallback(ctx context.Context, c Callback) (Notice, error)
}

// Settings is what the page needs to pay by a method. Nothing in it is secret.
type Settings struct {
	// PublicID names the shop in the acquirer's script.
	PublicID string
	// PublicKey, in PEM, encrypts a card on the page; KeyVersion goes into the cryptogram.
	// Both are empty where the acquirer's script brings them.
	PublicKey  string
	KeyVersion string
	// Script is the address of the acquirer's script, "" for none. The page's policy
	// must allow it.
	Script string
	// VerifyParam goes back with the cryptogram, "" for none or where Start returns it.
	VerifyParam string
	// NeedsVerify says that Start first answers [Prepared] with a VerifyParam, and that
	// a cryptogram without one is refused.
	NeedsVerify bool
	// Gateway and GatewayMerchant are for the wallets.
	Gateway, GatewayMerchant string
}

// Lookup names a payment. Ref is asked for first; ID must be given always.
type Lookup struct {
	// Ref is the acquirer's name of the payment, "" while it is not known.
	Ref string
	ID  ID
	// Started is when the payment was written down; acquirers that cannot search by our
	// id list what began since then.
	Started time.Time
}

// ThreeDSResult is what came back from 3-D Secure.
type ThreeDSResult struct {
	Lookup

	// PaRes is of version 1, CRes of version 2; both are empty when the hidden step of
	// version 2 is over.
	PaRes, CRes Secret
	// TransID is that of [ThreeDS], if there was one; MethodDone says that the hidden frame
	// answered that it is over, rather than that the wait was.
	TransID    string
	MethodDone bool
}
