//go:build !release

package sandbox

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"servery/internal/acquiring"
)

// cardForm is what the page for cards shows.
type cardForm struct {
	Number, Expiry, CVC string
	Cards               []Card
}

// showCard answers with the page for entering a card, or with the challenge of the card that was
// entered. The parameter card fills in a test card. A payment that is over has a page of its
// own.
func (s pages) showCard(w http.ResponseWriter, r *http.Request) {
	p := s.findPayment(w, r, acquiring.CardOnline)
	switch {
	case p == nil:
	case !p.isOpen():
		s.renderFinished(w, *p)
	case p.step == atChallenge:
		v := newView(*p, "check")
		v.Post = Root + "pay/" + p.ref + "/check"
		s.renderView(w, http.StatusOK, v)
	default:
		form := cardForm{Cards: Cards()} // empty, or filled in with the test card that was chosen
		for _, c := range form.Cards {
			if c.Key == r.URL.Query().Get("card") {
				form.Number, form.CVC = groupDigits(c.Number), "123"
				form.Expiry = fmt.Sprintf("12/%02d", (s.bank.clock.Now().Year()+3)%100) // MM/YY, three years ahead
			}
		}
		v := newView(*p, "card")
		v.Data = form
		if p.reason != acquiring.NoReason {
			v.Error = v.T("reason_" + p.reason.String())
		}
		s.renderView(w, http.StatusOK, v)
	}
}

// groupDigits returns a card's number in groups of four.
func groupDigits(number string) string {
	var b strings.Builder
	for i := range len(number) {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(number[i])
	}
	return b.String()
}

// submitCard handles the card that the customer has entered: it begins 3-D Secure or ends the
// payment, and redirects to this page or back to the shop. Two test cards simulate a lost connection,
// and are answered 502: with LostBefore the card is not entered and the page offers to try again, with
// LostAfter it is entered.
func (s pages) submitCard(w http.ResponseWriter, r *http.Request) {
	p := s.findPayment(w, r, acquiring.CardOnline)
	if p == nil {
		return
	}
	c := readCard(r)
	if c.outcomeOf(s.bank.clock.Now()).Trouble == LostBefore {
		s.renderUnavailable(w, *p, offersRetry)
		return
	}
	isEntered := false
	after, err := s.bank.changePayment(r.Context(), p.ref, func(p *payment, now time.Time) bool {
		if isEntered = p.isOpen() && p.step == atPage; isEntered {
			p.enterCard(c, now)
		}
		return isEntered
	})
	switch {
	case err != nil:
		s.renderMissing(w, r, err)
	case isEntered && after.outcome.Trouble == LostAfter:
		s.renderUnavailable(w, after, offersNothing)
	case after.isOpen():
		http.Redirect(w, r, Root+"pay/"+after.ref, http.StatusSeeOther)
	default:
		redirectBack(w, r, after)
	}
}

// readCard returns the card of a submitted form. Fields that cannot be read stay empty; the
// expiry is MM/YY.
func readCard(r *http.Request) card {
	digits := func(text string) string {
		return strings.Map(func(c rune) rune {
			if c >= '0' && c <= '9' {
				return c
			}
			return -1
		}, text)
	}
	c := card{Number: digits(r.PostFormValue("number")), CVC: strings.TrimSpace(r.PostFormValue("cvc"))}
	if expiry := digits(r.PostFormValue("expiry")); len(expiry) == 4 {
		month, _ := strconv.Atoi(expiry[:2])
		year, _ := strconv.Atoi(expiry[2:])
		c.ExpMonth, c.ExpYear = month, 2000+year
	}
	return c
}

// What renderUnavailable is called with.
const offersRetry, offersNothing = true, false

// renderUnavailable answers 502, as a bank that does not work. hasRetry says whether the page
// offers to try again.
func (s pages) renderUnavailable(w http.ResponseWriter, p payment, hasRetry bool) {
	v := newView(p, "lost")
	v.Data = hasRetry
	s.renderView(w, http.StatusBadGateway, v)
}

// answerOwnCheck handles the customer's answer to the challenge on the bank's own page: it ends
// the payment and redirects back to the shop, or to this page when the challenge is still open.
func (s pages) answerOwnCheck(w http.ResponseWriter, r *http.Request) {
	p := s.findPayment(w, r, acquiring.CardOnline)
	if p == nil {
		return
	}
	isAgreed := r.PostFormValue("answer") == "yes"
	after, err := s.bank.changePayment(r.Context(), p.ref, func(p *payment, now time.Time) bool {
		return p.answerChallenge(isAgreed) && p.finishChallenge(now)
	})
	switch {
	case err != nil:
		s.renderMissing(w, r, err)
	case after.isOpen():
		http.Redirect(w, r, Root+"pay/"+after.ref, http.StatusSeeOther)
	default:
		redirectBack(w, r, after)
	}
}

// cancelPayment ends the payment of a customer who goes back to the shop, and redirects there.
func (s pages) cancelPayment(w http.ResponseWriter, r *http.Request) {
	after, err := s.bank.changePayment(r.Context(), r.PathValue("ref"), func(p *payment, _ time.Time) bool {
		return p.endUnpaid(acquiring.CustomerCancelled)
	})
	if err != nil {
		s.renderMissing(w, r, err)
		return
	}
	redirectBack(w, r, after)
}
