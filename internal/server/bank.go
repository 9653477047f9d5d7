package server

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"html/template"
	"io"
	"log/slog"
	"net/http"
	"time"

	"servery/internal/acquiring"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/order"
	"servery/internal/server/request"
	"servery/internal/site"
)

// Banks come without a session and from their own sites, so their two calls stand beside
// the guard of the others: what they say is believed for its signature or single use alone.
const (
	// banksPerSecond bounds the calls of one address; an acquirer has few addresses.
	banksPerSecond = 50
	// bankTimeout bounds what a bank's call has us ask of an acquirer. It goes on when the
	// caller hangs up: what came is used once.
	bankTimeout = time.Minute
)

// bank stands before the calls of banks: small enough, not too many, kept by nobody.
func (s *Server) bank(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if r.Method != http.MethodGet && r.Method != http.MethodPost { // a pattern of GET takes HEAD too
			w.Header().Set("Allow", "GET, POST")
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if wait := s.bankLimits.Take(request.From(r.Context()).ClientIP, s.clock.Now()); wait > 0 {
			w.Header().Set("Retry-After", "1")
			refuse(w, http.StatusTooManyRequests)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, request.MaxBody)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), bankTimeout)
		defer cancel()
		next(w, r.WithContext(ctx))
	}
}

// refuse answers with a status alone: no program of a bank reads our words.
func refuse(w http.ResponseWriter, status int) { http.Error(w, http.StatusText(status), status) }

// refuseBody answers to a body that cannot be read.
func refuseBody(w http.ResponseWriter, err error) {
	if f, ok := fault.Of(request.BadBody(err)); ok && f.Code == fault.TooLarge {
		refuse(w, http.StatusRequestEntityTooLarge)
		return
	}
	refuse(w, http.StatusBadRequest)
}

// callback is POST and GET /callback/{acquirer}: an acquirer's news of a payment.
func (s *Server) callback(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		refuseBody(w, err)
		return
	}
	in := request.From(r.Context())
	c := acquiring.Callback{Method: r.Method, Query: r.URL.RawQuery, Header: r.Header, Body: body, Sender: in.Sender}
	reply := s.Orders.Callback(r.Context(), in.Site, r.PathValue("acquirer"), c)
	if reply.ContentType != "" {
		w.Header().Set("Content-Type", reply.ContentType)
	}
	w.WriteHeader(reply.Status)
	_, _ = io.WriteString(w, reply.Body) // the caller hung up
}

// return3DS is POST /order/3ds/{transaction_id}: where a bank's page of 3-D Secure has the
// customer's browser post its answer. The answer is handed over at once, then the browser
// is told, whether it shows this in a frame of the payment page or as a page of its own.
func (s *Server) return3DS(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		refuseBody(w, err)
		return
	}
	ctx, in := r.Context(), request.From(r.Context())
	a := order.Answer{
		PaymentID: acquiring.ID(r.PathValue("transaction_id")), PaRes: acquiring.Secret(r.PostForm.Get("PaRes")), CRes: acquiring.Secret(r.PostForm.Get("cres")),
		MethodDone: r.PostForm.Has("threeDSMethodData"),
	}
	back := returned{Lang: in.Lang, To: "/", Link: lang.T(in.Lang, "payment.go_back", nil)}
	status := http.StatusOK
	o, err := s.Orders.ProveReturn(ctx, in.Site, a)
	switch {
	case err == nil:
		back.ID, back.To = string(a.PaymentID), "/"+cityAlias(in.Site, o.CityID)+"/order/payment/"+o.CacheKey
	case errors.Is(err, fault.New(fault.NotFound, "order.not_found")):
		status = http.StatusNotFound
	default:
		// The payment's page asks by itself what became of it.
		s.log.LogAttrs(ctx, slog.LevelError, "an answer of 3-D Secure could not be handed over",
			slog.String("request_id", in.ID), slog.String("site", in.Site.Alias), slog.String("error", err.Error()))
	}
	back.send(w, status)
}

// cityAlias names the city of an order; the brand's first one where it has left that.
func cityAlias(st *site.Site, id int64) string {
	if c, ok := st.City(id); ok {
		return c.Alias
	}
	return st.Cities[0].Alias
}

// returned is the page after 3-D Secure.
type returned struct {
	Lang lang.Lang
	// ID names the payment to the page around, To leads to the payment page.
	ID, To, Link string
}

// returnScript returns the page around, of this very site, that the bank's page is over;
// without one it leads back to the payment.
const returnScript = `const{id,to}=document.body.dataset;if(parent!==self)parent.postMessage({type:'servery-3ds',transaction_id:id},location.origin);else location.replace(to)`

// returnPolicy lets that script alone run, and only a page of this site show it in a frame.
var returnPolicy = func() string {
	sum := sha256.Sum256([]byte(returnScript))
	return "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
}()

var returnTemplate = template.Must(template.New("returned").Parse(`<!doctype html>
<html lang="{{.Lang}}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>{{.Link}}</title></head>
<body data-id="{{.ID}}" data-to="{{.To}}"><p><a href="{{.To}}">{{.Link}}</a></p><script>` + returnScript + `</script></body>
</html>
`))

func (p returned) send(w http.ResponseWriter, status int) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", returnPolicy)
	h.Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(status)
	_ = returnTemplate.Execute(w, p) // the caller hung up
}
