package acquiring

import (
	"net/http"
	"net/netip"
)

// Callback is a request of an acquirer as it came. Body is bounded by the server.
type Callback struct {
	// Method is GET or POST.
	Method string
	// Query is the undecoded part after the question mark.
	Query  string
	Header http.Header
	Body   []byte
	// Sender is who is connected, as the server trusts its proxies; the zero value when
	// that is not known.
	Sender netip.Addr
}

// Notice is a callback that was verified, or that names a payment to be verified; see Claim.
type Notice struct {
	Event Event
	// Ignored says that the callback is genuine and of no interest: answer it and stop.
	Ignored bool
	// Claim is set in place of Event when nothing in the callback is proven: it is the payment that the
	// callback names. Look for it in our books before asking QueryStatus about it, so that a
	// stranger cannot make us ask about invented payments. Its ID is empty otherwise.
	Claim Lookup

	answer func(Verdict) Reply
}

// Verdict is what we say to a callback.
type Verdict uint8

// The closed set of verdicts. All but Accepted matter only to an event of state [Asked],
// where anything else stops the payment.
const (
	Accepted  Verdict = iota // it was applied, or came before, or may go on
	NotKnown                 // there is no such payment
	WrongSum                 // it is for another sum or currency
	NotNow                   // the order cannot be paid any more
	TooLate                  // its deadline is over
	TryAgain                 // we could not apply it: send it again
	Unwelcome                // it is forged
)

// Reply is what the acquirer is answered.
type Reply struct {
	Status      int
	ContentType string
	Body        string
}

// ReplyFor returns the reply that carries the verdict to the acquirer; Accepted stops its
// retries. Send the reply only after the changes of the event were committed.
func (n Notice) ReplyFor(v Verdict) Reply {
	if n.answer != nil {
		return n.answer(v)
	}
	return PlainReply(v)
}

// NewNotice returns the notice of an event. answer returns the reply for a verdict; nil means
// [PlainReply].
func NewNotice(e Event, answer func(Verdict) Reply) Notice { return Notice{Event: e, answer: answer} }

// ClaimNotice returns the notice of a callback that proves nothing and names a payment, by reference and
// id. answer returns the reply for a verdict; nil means [PlainReply].
func ClaimNotice(which Lookup, answer func(Verdict) Reply) Notice {
	return Notice{Claim: which, answer: answer}
}

// IsClaim reports whether the notice only names a payment.
func (n Notice) IsClaim() bool { return n.Claim.ID != "" }

// IgnoredNotice returns the notice of a genuine callback that changes nothing. answer returns
// the reply for a verdict; nil means [PlainReply].
func IgnoredNotice(answer func(Verdict) Reply) Notice { return Notice{Ignored: true, answer: answer} }

// PlainReply returns the reply to an acquirer that reads nothing but the status: 503 for
// [TryAgain], 403 for [Unwelcome], and 200 for all others, which stops its retries.
func PlainReply(v Verdict) Reply {
	switch v {
	case TryAgain:
		return Reply{Status: http.StatusServiceUnavailable}
	case Unwelcome:
		return Reply{Status: http.StatusForbidden}
	case Accepted, NotKnown, WrongSum, NotNow, TooLate:
	}
	// Sending it again would change nothing.
	return Reply{Status: http.StatusOK, ContentType: "text/plain; charset=utf-8", Body: "OK"}
}

// ReplyToError returns the reply to a callback that VerifyCallback refused with err: a forged
// one is refused, any other is to be sent again.
func ReplyToError(err error) Reply {
	if KindOf(err) == Forged {
		return PlainReply(Unwelcome)
	}
	return PlainReply(TryAgain)
}
