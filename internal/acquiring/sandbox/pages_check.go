//go:build !release

package sandbox

import (
	"net/http"
	"time"
)

// showCheck is the bank's page of 3-D Secure, version 1 or 2, in a frame or alone.
func (s pages) showCheck(w http.ResponseWriter, r *http.Request) {
	asked := r.PostFormValue("creq")
	if asked == "" {
		asked = r.PostFormValue("PaReq")
	}
	p := s.findChallenged(w, r, asked)
	if p == nil {
		return
	}
	fields := []field{
		{"request", asked}, {"MD", r.PostFormValue("MD")}, {"threeDSSessionData", r.PostFormValue("threeDSSessionData")},
	}
	if !p.isOpen() || p.step != atChallenge {
		s.goBack(w, *p, fields)
		return
	}
	v := newView(*p, "check")
	v.Post, v.Fields = Root+"acs/answer", fields
	s.renderView(w, http.StatusOK, v)
}

// findChallenged finds the payment that a request of 3-D Secure names; nil when the answer was
// given.
func (s pages) findChallenged(w http.ResponseWriter, r *http.Request, asked string) *payment {
	m, ok := unsealMessage(asked)
	if !ok {
		s.renderMissing(w, r, nil)
		return nil
	}
	p, err := byTrans(r.Context(), s.bank.db.Read(), m.TransID)
	if err != nil {
		s.renderMissing(w, r, err)
		return nil
	}
	p.applyTime(s.bank.clock.Now())
	return &p
}

// takeCheck is the customer's answer, with which the browser goes back.
func (s pages) takeCheck(w http.ResponseWriter, r *http.Request) {
	p := s.findChallenged(w, r, r.PostFormValue("request"))
	if p == nil {
		return
	}
	yes := r.PostFormValue("answer") == "yes"
	after, err := s.bank.changePayment(r.Context(), p.ref, func(p *payment, _ time.Time) bool { return p.answerChallenge(yes) })
	if err != nil {
		s.renderMissing(w, r, err)
		return
	}
	s.goBack(w, after, []field{
		{"", ""}, {"MD", r.PostFormValue("MD")}, {"threeDSSessionData", r.PostFormValue("threeDSSessionData")},
	})
}

// goBack posts the bank's answer to the shop.
func (s pages) goBack(w http.ResponseWriter, p payment, fields []field) {
	m := message{TransID: p.transID, ACSTransID: p.ref, Type: "CRes", Version: "2.2.0", Status: "N"}
	if p.step == proved || p.state == paid {
		m.Status = "Y"
	}
	v := newView(p, "post")
	v.Post = p.termURL
	if p.outcome.Check == Version1 {
		m.Type, m.Version = "PARes", "1.0.2"
		v.Fields = []field{fields[1], {"PaRes", sealMessage(m)}}
	} else {
		v.Fields = []field{{"cres", sealMessage(m)}, fields[2]}
	}
	s.renderView(w, http.StatusOK, v)
}

// showFrame is the hidden frame of 3-D Secure 2, in which a bank would look at the browser.
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

// showFrameDone is where the hidden frame ends; its script notifies the page around it.
func (s pages) showFrameDone(w http.ResponseWriter, r *http.Request) {
	p := s.findChallenged(w, r, r.PostFormValue("threeDSMethodData"))
	if p == nil {
		return
	}
	s.renderView(w, http.StatusOK, newView(*p, "framed"))
}
