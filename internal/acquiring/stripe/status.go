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

// Status implements [acquiring.Acquirer].
func (a *Acquirer) Status(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	event, err := a.find(ctx, which)
	switch {
	case err != nil:
		return acquiring.Event{}, err
	case event.State != acquiring.Absent && which.ID != "" && event.ID != which.ID:
		return acquiring.Event{}, fail("status", acquiring.Foreign, "")
	}
	return event, nil
}

func (a *Acquirer) find(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	switch {
	case which.Ref == "":
		return a.search(ctx, which)
	case !acquiring.PlainRef(which.Ref):
		return acquiring.Event{}, fail("status", acquiring.Invalid, "ref")
	case strings.HasPrefix(which.Ref, sessionPrefix):
		s, found, err := a.session(ctx, which.Ref)
		if err != nil || !found {
			return acquiring.Event{Ref: which.Ref, ID: which.ID}, err
		}
		return s.event()
	case strings.HasPrefix(which.Ref, intentPrefix):
		p, found, err := a.intent(ctx, which.Ref)
		if err != nil || !found {
			return acquiring.Event{Ref: which.Ref, ID: which.ID}, err
		}
		return p.event()
	}
	return acquiring.Event{}, fail("status", acquiring.Invalid, "ref")
}

func (a *Acquirer) session(ctx context.Context, ref string) (s session, found bool, _ error) {
	found, err := a.get(ctx, "/checkout/sessions/"+ref, url.Values{"expand[]": {"payment_intent.latest_charge"}}, &s)
	if err == nil && found && s.ID != ref {
		return s, false, fail("status", acquiring.Lost, "session")
	}
	return s, found, err
}

func (a *Acquirer) intent(ctx context.Context, ref string) (p intent, found bool, _ error) {
	found, err := a.get(ctx, "/payment_intents/"+ref, url.Values{"expand[]": {"latest_charge"}}, &p)
	if err == nil && found && p.ID != ref {
		return p, false, fail("status", acquiring.Lost, "intent")
	}
	return p, found, err
}

func (a *Acquirer) get(ctx context.Context, path string, query url.Values, into any) (found bool, _ error) {
	answer, err := a.ask(ctx, "status", http.MethodGet, path, query, "")
	switch {
	case err != nil:
		return false, err
	case answer.Status == http.StatusNotFound:
		return false, nil
	case !answer.OK():
		return false, answer.Lost(code(answer))
	}
	return true, answer.Read(into)
}

// charged gives the payment itself, which a page has once somebody paid there.
func (a *Acquirer) charged(ctx context.Context, which acquiring.Lookup) (intent, error) {
	var p intent
	found := false
	var err error
	if strings.HasPrefix(which.Ref, sessionPrefix) {
		var s session
		if s, found, err = a.session(ctx, which.Ref); s.Intent.Object != nil {
			p = *s.Intent.Object
			p.Metadata = s.Metadata
		}
	} else {
		p, found, err = a.intent(ctx, which.Ref)
	}
	switch {
	case err != nil:
		return intent{}, err
	case !found, !acquiring.PlainRef(p.ID):
		return intent{}, fail("refund", acquiring.Rejected, "not paid")
	case p.Metadata.PaymentID != string(which.ID):
		return intent{}, fail("refund", acquiring.Foreign, "")
	}
	return p, nil
}

// search finds a payment by our id among those that began since then: Stripe's own search
// is some minutes behind.
func (a *Acquirer) search(ctx context.Context, which acquiring.Lookup) (acquiring.Event, error) {
	query := url.Values{"limit": {"100"}}
	if !which.Started.IsZero() {
		since := which.Started.Add(-5 * time.Minute) // their clock may be another
		query.Set("created[gte]", strconv.FormatInt(since.Unix(), 10))
		query.Set("created[lte]", strconv.FormatInt(since.Add(24*time.Hour).Unix(), 10))
	}
	ref, err := a.list(ctx, "/checkout/sessions", query, func(o listed) bool { return o.Metadata.PaymentID == string(which.ID) })
	if err == nil && ref == "" {
		ref, err = a.list(ctx, "/payment_intents", query, func(o listed) bool {
			return o.Metadata.PaymentID == string(which.ID) && o.Metadata.Via == ""
		})
	}
	switch {
	case err != nil:
		return acquiring.Event{}, err
	case ref == "":
		return acquiring.Event{ID: which.ID, State: acquiring.Absent}, nil
	}
	return a.find(ctx, acquiring.Lookup{Ref: ref, ID: which.ID})
}

type listed struct {
	ID       string   `json:"id"`
	Metadata metadata `json:"metadata"`
}

// list gives the name of the first object that fits, "" when none does.
func (a *Acquirer) list(ctx context.Context, path string, query url.Values, fits func(listed) bool) (string, error) {
	query = url.Values(http.Header(query).Clone())
	const pages = 20
	for range pages {
		answer, err := a.ask(ctx, "search", http.MethodGet, path, query, "")
		if err != nil {
			return "", err
		}
		var page struct {
			Data *[]listed `json:"data"`
			More bool      `json:"has_more"`
		}
		if answer.Read(&page) != nil || !answer.OK() || page.Data == nil {
			return "", answer.Lost("list")
		}
		for _, o := range *page.Data {
			if fits(o) && acquiring.PlainRef(o.ID) {
				return o.ID, nil
			}
		}
		if !page.More || len(*page.Data) == 0 {
			return "", nil
		}
		query.Set("starting_after", (*page.Data)[len(*page.Data)-1].ID)
	}
	return "", fail("search", acquiring.Lost, "too many payments")
}
