package page

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"

	"servery/internal/fault"
	"servery/internal/server/convert"
	"servery/internal/server/request"
	"servery/internal/staff"
)

// invitationPage is the page on which a person accepts an invitation to work at the restaurant. It is
// the same for all: its script reads the invitation from the fragment of the address, and calls the
// operator's sign-in.
type invitationPage struct {
	document

	texts convert.Localizer
}

// Say returns a text of the page in the visitor's language.
func (p invitationPage) Say(name string) string {
	return p.texts.Message(fault.Message{Key: "staff.page_" + name, Args: fault.Args{"brand": p.texts.Text(p.texts.Site.Name)}})
}

// PasswordHint returns how long a password is.
func (p invitationPage) PasswordHint() string {
	length := fault.Args{"min": staff.LeastPassword, "max": staff.MostPassword}
	return p.texts.Message(fault.Message{Key: "staff.password_length", Args: length})
}

var invitationTemplate = template.Must(template.New("invitation").Parse(`<!doctype html>
<html lang="{{.Lang}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Say "title"}}</title>
<meta name="color-scheme" content="{{.Scheme}}">
{{range .Grounds}}<meta name="theme-color" content="{{.Color}}"{{with .Media}} media="{{.}}"{{end}}>
{{end}}<meta name="format-detection" content="telephone=no">
<meta name="robots" content="noindex">
{{range .Styles}}<link rel="stylesheet" href="{{.}}">
{{end}}{{with .Icon}}<link rel="icon" href="{{.}}">
{{end}}{{range .Scripts}}<script type="module" src="{{.}}"></script>
{{end}}</head>
<body>
<main class="invitation" id="invitation" data-no-invitation="{{.Say "no_invitation"}}" data-no-connection="{{.Say "no_connection"}}">
<h1>{{.Say "heading"}}</h1>
<noscript><p class="problem">{{.Say "no_script"}}</p></noscript>
<p id="loading" role="status" hidden>{{.Say "loading"}}</p>
<div id="problem" class="problem" role="alert"></div>
<button type="button" id="retry" hidden>{{.Say "retry"}}</button>
<form id="form" novalidate hidden>
<dl>
<div><dt>{{.Say "name"}}</dt><dd id="name"></dd></div>
<div><dt>{{.Say "login"}}</dt><dd id="login"></dd></div>
</dl>
<h2>{{.Say "app_heading"}}</h2>
<p>{{.Say "app_how"}}</p>
<img id="qr" alt="{{.Say "qr"}}" width="232" height="232">
<p><a id="app-link">{{.Say "app_link"}}</a></p>
<p>{{.Say "secret"}} <code id="secret"></code></p>
<h2>{{.Say "access_heading"}}</h2>
<input type="text" id="username" name="username" autocomplete="username" hidden>
<div class="field">
<label for="password">{{.Say "password"}}</label>
<input type="password" id="password" name="password" autocomplete="new-password" required aria-describedby="password-hint password-error">
<p id="password-hint">{{.PasswordHint}}</p>
<p id="password-error" class="problem" role="alert"></p>
<button type="button" id="show" aria-pressed="false" aria-controls="password">{{.Say "show"}}</button>
</div>
<div class="field">
<label for="code">{{.Say "code"}}</label>
<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required aria-describedby="code-hint code-error">
<p id="code-hint">{{.Say "code_hint"}}</p>
<p id="code-error" class="problem" role="alert"></p>
</div>
<button type="submit" id="accept">{{.Say "accept"}}</button>
</form>
<section id="done" aria-labelledby="done-heading" hidden>
<h2 id="done-heading" tabindex="-1">{{.Say "done"}}</h2>
<h3 id="codes-heading">{{.Say "codes_heading"}}</h3>
<p>{{.Say "codes_how"}}</p>
<ul id="codes" aria-labelledby="codes-heading"></ul>
<button type="button" id="copy">{{.Say "copy"}}</button>
<p id="copied" role="status" data-text="{{.Say "copied"}}"></p>
</section>
</main>
</body>
</html>
`))

// writeHTML returns the page as HTML.
func (p invitationPage) writeHTML() ([]byte, error) {
	var b bytes.Buffer
	if err := invitationTemplate.Execute(&b, p); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// ServeInvitation answers GET /staff/invitation. The page belongs to no city; nothing of it may be stored
// or indexed, and no other site learns its address.
func (s *Server) ServeInvitation(w http.ResponseWriter, r *http.Request) {
	in := request.From(r.Context())
	own := s.manifest.StaffInvitation
	p := invitationPage{document: newDocument(s.manifest, "", in.Lang, in.Site), texts: convert.Localizer{Site: in.Site, Lang: in.Lang}}
	p.Scripts, p.Styles = own.Scripts, append(p.Styles, own.Styles...)
	html, err := p.writeHTML()
	if err != nil {
		s.problem(w, r, fmt.Errorf("write the page of invitations: %w", err))
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex")
	_, _ = w.Write(html) // a failing write means that the client has closed the connection
}
