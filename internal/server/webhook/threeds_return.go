package webhook

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"html/template"
	"log/slog"
	"net/http"

	"servery/internal/acquiring"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/payment"
	"servery/internal/server/request"
	"servery/internal/site"
)

// Return3DS answers POST /order/3ds/{transaction_id}, to which a bank's page of 3-D Secure
// sends the customer's browser with the result. The result is submitted at once. The answered
// page works in a frame of the payment page and as a page of its own.
func (s *Server) Return3DS(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		refuseBody(w, err)
		return
	}
	ctx, in := r.Context(), request.From(r.Context())
	result := payment.ThreeDSResult{
		PaymentID: acquiring.ID(r.PathValue("transaction_id")), PaRes: acquiring.Secret(r.PostForm.Get("PaRes")), CRes: acquiring.Secret(r.PostForm.Get("cres")),
		MethodDone: r.PostForm.Has("threeDSMethodData"),
	}
	back := returned{Lang: in.Lang, To: "/", Link: lang.T(in.Lang, "payment.go_back", nil)}
	status := http.StatusOK
	bill, err := s.payments.Handle3DSReturn(ctx, in.Site, result)
	switch {
	case err == nil:
		back.ID, back.To = string(result.PaymentID), "/"+cityAlias(in.Site, bill.CityID)+"/order/payment/"+bill.CacheKey
	case errors.Is(err, fault.New(fault.NotFound, "order.not_found")):
		status = http.StatusNotFound
	default:
		// The page answers 200: the payment page it leads to asks for the outcome itself.
		s.log.LogAttrs(ctx, slog.LevelError, "an answer of 3-D Secure could not be handed over",
			slog.String("request_id", in.ID), slog.String("site", in.Site.Alias), slog.Any("error", err))
	}
	back.send(w, status)
}

// cityAlias returns the alias of a city, or of the brand's first city when the brand has left
// it.
func cityAlias(st *site.Site, id int64) string {
	if c, ok := st.City(id); ok {
		return c.Alias
	}
	return st.Cities[0].Alias
}

// returned is the page after 3-D Secure.
type returned struct {
	Lang lang.Lang
	// ID names the payment to the page around the frame, To leads to the payment page.
	ID, To, Link string
}

// returnScript reports to a page of this site around the frame that the bank's page is over. Outside a
// frame it leads back to the payment.
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

// send writes the page with a policy of its own.
func (p returned) send(w http.ResponseWriter, status int) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", returnPolicy)
	h.Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(status)
	_ = returnTemplate.Execute(w, p) // it fails only when the client has closed the connection
}
