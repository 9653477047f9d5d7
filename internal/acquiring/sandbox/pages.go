//go:build !release

package sandbox

import (
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"net/http"
	"time"

	"servery/internal/acquiring"
	"servery/internal/db"
	"servery/internal/lang"
)

// Root is where the pages are.
const Root = "/dev/sandbox/"

const maxBody = 64 << 10

//go:embed pages
var files embed.FS

var templates = template.Must(template.New("").ParseFS(files, "pages/*.html"))

// pages answers people and their browsers.
type pages struct{ bank *Bank }

// OpenPatterns returns the patterns of the pages that a shop on another origin may post to,
// which are those where 3-D Secure begins.
func OpenPatterns() []string {
	return []string{"POST " + Root + "acs/1", "POST " + Root + "acs/2", "POST " + Root + "acs/2/method"}
}

// PagesHandler returns the handler of everything below [Root]. It reads at most 64 KiB of a
// request.
func (b *Bank) PagesHandler() http.Handler {
	s := pages{b}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Root+"{$}", s.showHelp)
	mux.HandleFunc("POST "+Root+"faults", s.setFault)
	mux.HandleFunc("GET "+Root+"cards.json", s.listCards)
	mux.HandleFunc("GET "+Root+"payments.json", s.listPayments)
	mux.HandleFunc("GET "+Root+"pay/{ref}", s.showCard)
	mux.HandleFunc("POST "+Root+"pay/{ref}", s.submitCard)
	mux.HandleFunc("POST "+Root+"pay/{ref}/check", s.answerOwnCheck)
	mux.HandleFunc("POST "+Root+"cancel/{ref}", s.cancelPayment)
	mux.HandleFunc("GET "+Root+"sbp/{ref}", s.showSBP)
	mux.HandleFunc("POST "+Root+"sbp/{ref}", s.submitChoice)
	mux.HandleFunc("GET "+Root+"phone", s.showPhones)
	mux.HandleFunc("GET "+Root+"phone/{ref}", s.showPhone)
	mux.HandleFunc("POST "+Root+"phone/{ref}", s.submitChoice)
	mux.HandleFunc("GET "+Root+"wallet/{ref}", s.showWallet)
	mux.HandleFunc("POST "+Root+"wallet/{ref}", s.submitChoice)
	mux.HandleFunc("POST "+Root+"acs/1", s.showCheck)
	mux.HandleFunc("POST "+Root+"acs/2", s.showCheck)
	mux.HandleFunc("POST "+Root+"acs/answer", s.answerCheck)
	mux.HandleFunc("POST "+Root+"acs/2/method", s.showFrame)
	mux.HandleFunc("POST "+Root+"acs/2/method/done", s.showFrameDone)
	for _, name := range []string{"style.css", "post.js"} {
		mux.HandleFunc("GET "+Root+name, func(w http.ResponseWriter, r *http.Request) {
			http.ServeFileFS(w, r, staticFiles(), name)
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		mux.ServeHTTP(w, r)
	})
}

// staticFiles returns the embedded folder of templates, styles and scripts.
func staticFiles() fs.FS {
	folder, err := fs.Sub(files, "pages")
	if err != nil {
		panic(err) // it is embedded
	}
	return folder
}

// view is what a page shows.
type view struct {
	Lang lang.Lang
	// Name is that of the template inside the frame of the page.
	Name  string
	Title string
	// P is the payment, nil where there is none.
	P *paymentView
	// Shop is the origin of the shop, which forms may lead to.
	Shop string
	// Error is said above the form.
	Error string
	// Post is where to go on, with the fields.
	Post   string
	Fields []field
	// Data is the page's own.
	Data any
}

type field struct{ Name, Value string }

// T returns the message sandbox.<key> in the language of the page. Its values are pairs of name
// and value.
func (v view) T(key string, values ...any) string {
	args := map[string]any{}
	for i := 0; i+1 < len(values); i += 2 {
		if name, ok := values[i].(string); ok {
			args[name] = values[i+1]
		}
	}
	return lang.T(v.Lang, "sandbox."+key, args)
}

// paymentView is a payment as people see it.
type paymentView struct {
	// Ref is the bank's name of it, Page where people act on it, Back where they go from
	// here, Fail where without having paid.
	Ref, Page, Back, Fail string

	Description, Card, Method, State, Reason string
	// Sum is what is to be paid, Refunded what was given back, "" for nothing.
	Sum, Refunded string
	// Created is the time of day.
	Created string
	// Paid says that the money was taken, Thinking that the bank will.
	Paid, Thinking bool
}

// toView returns the payment as the pages show it.
func (p *payment) toView() *paymentView {
	s := &paymentView{
		Ref: p.ref, Page: p.pagePath(), Back: p.returnAddress(), Fail: p.failURL, Description: p.description, Card: p.card, Method: p.method.String(),
		State: p.toEvent().State.String(), Reason: p.reason.String(), Sum: acquiring.Decimal(p.sum.Amount) + " " + p.sum.Currency.Sign,
		Created: p.createdAt.Format(time.TimeOnly), Paid: p.state == paid, Thinking: p.isDeciding(),
	}
	if p.refunded > 0 {
		s.Refunded = acquiring.Decimal(p.refunded) + " " + p.sum.Currency.Sign
	}
	return s
}

// isDeciding reports whether the bank is going to take the money by itself.
func (p *payment) isDeciding() bool { return p.state == open && !p.due.IsZero() }

// pagePath returns the path of the page for paying, empty when that page is the shop's.
func (p *payment) pagePath() string {
	kind := map[acquiring.Method]string{acquiring.CardOnline: "pay", acquiring.SBP: "sbp", acquiring.SberPay: "phone", acquiring.ApplePay: "wallet", acquiring.GooglePay: "wallet"}[p.method]
	if kind == "" {
		return ""
	}
	return Root + kind + "/" + p.ref
}

// returnAddress returns where the customer goes from the bank's pages: to the shop's return address
// when the payment is paid or may still become so, else to the shop's address for failures.
func (p *payment) returnAddress() string {
	if p.state == paid || p.isDeciding() {
		return p.returnURL
	}
	return p.failURL
}

// renderView writes a page, which is not cached. Its forms may only lead to this origin and to
// the shop.
func (s pages) renderView(w http.ResponseWriter, status int, v view) {
	actions := "'self'"
	if v.Shop != "" {
		actions += " " + v.Shop
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; base-uri 'none'; form-action "+
		actions+"; frame-ancestors 'self'")
	w.WriteHeader(status)
	_ = templates.ExecuteTemplate(w, "layout", v) // fails only when the client has closed the connection
}

// pageLanguage returns the language of a page that belongs to no payment, by the header
// Accept-Language.
func pageLanguage(r *http.Request) lang.Lang {
	const noChoice = ""
	return lang.Negotiate(noChoice, r.Header.Get("Accept-Language"), lang.All(), lang.EN)
}

// newView returns the view of a payment's page, in the customer's language. name is that of the
// template.
func newView(p payment, name string) view {
	l, ok := lang.Parse(p.language)
	if !ok {
		l = lang.EN
	}
	v := view{Lang: l, Name: name, P: p.toView()}
	v.Shop, _ = originOf(p.returnURL)
	v.Title = v.T(name + "_title")
	return v
}

// findPayment returns the payment of the request's path if it has one of the methods. A capture
// or an end that is due takes place first. Otherwise it answers the request itself and returns
// nil.
func (s pages) findPayment(w http.ResponseWriter, r *http.Request, methods ...acquiring.Method) *payment {
	p, err := s.bank.changePayment(r.Context(), r.PathValue("ref"), leaveUnchanged)
	for _, m := range methods {
		if err == nil && p.method == m {
			return &p
		}
	}
	s.renderMissing(w, r, err)
	return nil
}

// renderMissing answers that there is no such page, or that the bank failed, when err is neither nil
// nor [db.ErrNotFound].
func (s pages) renderMissing(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusNotFound
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		s.bank.log.WarnContext(r.Context(), "a page of the test bank failed", "error", err)
		status = http.StatusInternalServerError
	}
	v := view{Lang: pageLanguage(r), Name: "missing"}
	v.Title = v.T("missing_title")
	s.renderView(w, status, v)
}

// renderFinished answers with the page of a payment that needs nothing more from the customer.
func (s pages) renderFinished(w http.ResponseWriter, p payment) {
	v := newView(p, "over")
	switch p.state {
	case paid:
		v.Title = v.T("over_paid")
	case open:
		v.Title = v.T("over_thinking")
	case requestLost, failed:
	}
	s.renderView(w, http.StatusOK, v)
}

// redirectBack redirects the customer to the shop, to the address for success or failure.
func redirectBack(w http.ResponseWriter, r *http.Request, p payment) {
	http.Redirect(w, r, p.returnAddress(), http.StatusSeeOther)
}
