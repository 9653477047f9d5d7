package stripe

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"servery/internal/acquiring"
)

// QueryStatus reads the payment by its reference, or by our id while that is not known. A
// payment that Stripe does not know is [acquiring.Absent]. A payment of another id is an error
// of kind [acquiring.Foreign]; an answer that cannot be read is one of kind [acquiring.Lost].
func (a *Acquirer) QueryStatus(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	event, err := a.findPayment(ctx, which)
	switch {
	case err != nil:
		return acquiring.Event{}, err
	case event.State != acquiring.Absent && which.ID != "" && event.ID != which.ID:
		return acquiring.Event{}, callError("status", acquiring.Foreign, "")
	}
	return event, nil
}

// findPayment returns the event of a payment by its reference, which is that of a page or an
// intent, or else by our id. The event is [acquiring.Absent] when there is none.
func (a *Acquirer) findPayment(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	switch {
	case which.Ref == "":
		return a.searchByID(ctx, which)
	case !acquiring.IsPlainRef(which.Ref):
		return acquiring.Event{}, callError("status", acquiring.Invalid, "ref")
	case strings.HasPrefix(which.Ref, sessionPrefix):
		s, found, err := a.getSession(ctx, which.Ref)
		if err != nil || !found {
			return acquiring.Event{Ref: which.Ref, ID: which.ID, State: acquiring.Absent}, err
		}
		return s.toEvent()
	case strings.HasPrefix(which.Ref, intentPrefix):
		p, found, err := a.getIntent(ctx, which.Ref)
		if err != nil || !found {
			return acquiring.Event{Ref: which.Ref, ID: which.ID, State: acquiring.Absent}, err
		}
		return p.toEvent()
	}
	return acquiring.Event{}, callError("status", acquiring.Invalid, "ref")
}

// getSession returns a checkout page with its payment, and false when there is none.
func (a *Acquirer) getSession(ctx context.Context, ref string) (s session, found bool, _ error) {
	found, err := a.getObject(ctx, "/checkout/sessions/"+ref, url.Values{"expand[]": {"payment_intent.latest_charge"}}, &s)
	if err == nil && found && s.ID != ref {
		return s, false, callError("status", acquiring.Lost, "session")
	}
	return s, found, err
}

// getIntent returns a payment intent with its charge, and false when there is none.
func (a *Acquirer) getIntent(ctx context.Context, ref string) (p intent, found bool, _ error) {
	found, err := a.getObject(ctx, "/payment_intents/"+ref, url.Values{"expand[]": {"latest_charge"}}, &p)
	if err == nil && found && p.ID != ref {
		return p, false, callError("status", acquiring.Lost, "intent")
	}
	return p, found, err
}

// getObject reads an object of the API into target. It returns false when there is none. Any
// other refusal is an error of kind [acquiring.Lost].
func (a *Acquirer) getObject(ctx context.Context, path string, query url.Values, target any) (found bool, _ error) {
	answer, err := a.callAPI(ctx, "status", http.MethodGet, path, query, noKey)
	switch {
	case err != nil:
		return false, err
	case answer.Status == http.StatusNotFound:
		return false, nil
	case !answer.OK():
		return false, answer.LostError(errorCode(answer))
	}
	return true, answer.ReadJSON(target)
}

// getIntentToRefund returns the payment intent of a payment, also of one on a page. It does not check that
// the intent is paid, which Stripe does at the refund. It returns an error of kind [acquiring.Rejected] when
// there is no intent, as on a page that was not paid on, and of kind [acquiring.Foreign] when the intent is
// of another payment.
func (a *Acquirer) getIntentToRefund(ctx context.Context, which acquiring.Lookup) (intent, error) {
	var p intent
	found := false
	var err error
	if strings.HasPrefix(which.Ref, sessionPrefix) {
		var s session
		if s, found, err = a.getSession(ctx, which.Ref); s.Intent.Object != nil {
			p = *s.Intent.Object
			p.Metadata = s.Metadata
		}
	} else {
		p, found, err = a.getIntent(ctx, which.Ref)
	}
	switch {
	case err != nil:
		return intent{}, err
	case !found, !acquiring.IsPlainRef(p.ID):
		return intent{}, callError("refund", acquiring.Rejected, "not paid")
	case p.Metadata.PaymentID != string(which.ID):
		return intent{}, callError("refund", acquiring.Foreign, "")
	}
	return p, nil
}

// searchByID finds a payment by our id among the pages and intents that were made within a day
// of its start. Stripe's own search is some minutes behind. The event is [acquiring.Absent] when
// there is none.
func (a *Acquirer) searchByID(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	query := url.Values{"limit": {"100"}}
	if !which.Started.IsZero() {
		since := which.Started.Add(-5 * time.Minute) // their clock may be another
		query.Set("created[gte]", strconv.FormatInt(since.Unix(), 10))
		query.Set("created[lte]", strconv.FormatInt(since.Add(24*time.Hour).Unix(), 10))
	}
	ref, err := a.findListed(ctx, "/checkout/sessions", query, func(o listed) bool { return o.Metadata.PaymentID == string(which.ID) })
	if err == nil && ref == "" {
		ref, err = a.findListed(ctx, "/payment_intents", query, func(o listed) bool {
			return o.Metadata.PaymentID == string(which.ID) && o.Metadata.Via == ""
		})
	}
	switch {
	case err != nil:
		return acquiring.Event{}, err
	case ref == "":
		return acquiring.Event{ID: which.ID, State: acquiring.Absent}, nil
	}
	return a.findPayment(ctx, acquiring.Lookup{Ref: ref, ID: which.ID})
}

type listed struct {
	ID       string   `json:"id"`
	Metadata metadata `json:"metadata"`
}

// findListed returns the reference of the first listed object that matches, empty for none. It
// reads at most 20 pages of the list and then returns an error of kind [acquiring.Lost].
func (a *Acquirer) findListed(ctx context.Context, path string, query url.Values, matches func(listed) bool) (string, error) {
	query = url.Values(http.Header(query).Clone()) // a copy, in which the cursor is set
	const pages = 20
	for range pages {
		answer, err := a.callAPI(ctx, "search", http.MethodGet, path, query, noKey)
		if err != nil {
			return "", err
		}
		var page struct {
			Data *[]listed `json:"data"`
			More bool      `json:"has_more"`
		}
		if answer.ReadJSON(&page) != nil || !answer.OK() || page.Data == nil {
			return "", answer.LostError("list")
		}
		for _, o := range *page.Data {
			if matches(o) && acquiring.IsPlainRef(o.ID) {
				return o.ID, nil
			}
		}
		if !page.More || len(*page.Data) == 0 {
			return "", nil
		}
		query.Set("starting_after", (*page.Data)[len(*page.Data)-1].ID)
	}
	return "", callError("search", acquiring.Lost, "too many payments")
}
