//go:build !release

package sandbox

import (
	"cmp"
	"net/http"
	"time"

	"servery/internal/db"
)

// showCheck answers with the challenge of 3-D Secure, version 1 or 2, in a frame or alone. When
// there is no open challenge, the browser goes back to the shop.
func (s pages) showCheck(w http.ResponseWriter, r *http.Request) {
	request := cmp.Or(r.PostFormValue("creq"), r.PostFormValue("PaReq"))
	p := s.findChallenged(w, r, request)
	if p == nil {
		return
	}
	if !p.isOpen() || p.step != atChallenge {
		s.postAnswerToShop(w, r, *p)
		return
	}
	v := newView(*p, "check")
	v.Post, v.Fields = Root+"acs/answer", []field{{"request", request}, shopField(r, "MD"), shopField(r, "threeDSSessionData")}
	s.renderView(w, http.StatusOK, v)
}

// findChallenged returns the payment that a message of 3-D Secure names, as it is now. When
// there is none, it answers the request itself and returns nil.
func (s pages) findChallenged(w http.ResponseWriter, r *http.Request, sealed string) *payment {
	m, ok := unsealMessage(sealed)
	if !ok {
		s.renderMissing(w, r, db.ErrNotFound)
		return nil
	}
	p, err := findByTransID(r.Context(), s.bank.db.Read(), m.TransID)
	if err != nil {
		s.renderMissing(w, r, err)
		return nil
	}
	p.applyTime(s.bank.clock.Now())
	return &p
}

// answerCheck stores the customer's answer to the challenge, and answers with a page that posts
// the result to the shop.
func (s pages) answerCheck(w http.ResponseWriter, r *http.Request) {
	p := s.findChallenged(w, r, r.PostFormValue("request"))
	if p == nil {
		return
	}
	isAgreed := r.PostFormValue("answer") == "yes"
	after, err := s.bank.changePayment(r.Context(), p.ref, func(p *payment, _ time.Time) bool { return p.answerChallenge(isAgreed) })
	if err != nil {
		s.renderMissing(w, r, err)
		return
	}
	s.postAnswerToShop(w, r, after)
}

// shopField returns a field that the shop has sent with its request for 3-D Secure and expects
// back unchanged.
func shopField(r *http.Request, name string) field { return field{name, r.PostFormValue(name)} }

// postAnswerToShop answers with a page that posts the result of 3-D Secure to the shop: Y when
// the customer agreed, else N, in the form of version 1 or 2.
func (s pages) postAnswerToShop(w http.ResponseWriter, r *http.Request, p payment) {
	m := message{TransID: p.transID, ACSTransID: p.ref, Type: "CRes", Version: "2.2.0", Status: "N"}
	if p.step == challengePassed || p.state == paid {
		m.Status = "Y"
	}
	v := newView(p, "post")
	v.Post = p.termURL
	if p.outcome.Check == Version1 {
		m.Type, m.Version = "PARes", "1.0.2"
		v.Fields = []field{shopField(r, "MD"), {"PaRes", sealMessage(m)}}
	} else {
		v.Fields = []field{{"cres", sealMessage(m)}, shopField(r, "threeDSSessionData")}
	}
	s.renderView(w, http.StatusOK, v)
}

// showFrame answers with the hidden frame of 3-D Secure 2, in which a real bank examines the
// browser.
func (s pages) showFrame(w http.ResponseWriter, r *http.Request) {
	data := r.PostFormValue("threeDSMethodData")
	p := s.findChallenged(w, r, data)
	if p == nil {
		return
	}
	v := newView(*p, "post")
	v.Post, v.Fields = Root+"acs/2/method/done", []field{{"threeDSMethodData", data}}
	s.renderView(w, http.StatusOK, v)
}

// showFrameDone answers with the end of the hidden frame; its script notifies the page around
// it.
func (s pages) showFrameDone(w http.ResponseWriter, r *http.Request) {
	p := s.findChallenged(w, r, r.PostFormValue("threeDSMethodData"))
	if p == nil {
		return
	}
	s.renderView(w, http.StatusOK, newView(*p, "framed"))
}
