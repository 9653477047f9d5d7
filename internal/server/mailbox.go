//go:build !release

package server

import (
	"html/template"
	"net/http"
	"time"

	"servery/internal/notify/mailbox"
	"servery/internal/phone"
)

var mailboxTemplate = template.Must(template.New("mailbox").Funcs(template.FuncMap{
	"time": func(t time.Time) string { return t.Format(time.TimeOnly) },
}).Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="5">
<title>Mailbox</title>
</head>
<body>
<main>
<h1>Mailbox</h1>
<p>Codes that were not sent, the newest first. Only a development build shows them.</p>
{{if .}}<table>
<thead><tr><th scope="col">Time (UTC)</th><th scope="col">By</th><th scope="col">To</th><th scope="col">Code</th><th scope="col">Text</th></tr></thead>
<tbody>
{{range .}}<tr><td>{{time .At}}</td><td>{{.Channel}}</td><td>+{{.Phone}}</td><td><strong>{{.Code}}</strong></td><td>{{.Text}}</td></tr>
{{end}}</tbody>
</table>{{else}}<p>Nothing yet.</p>{{end}}
</main>
</body>
</html>
`))

// MailboxPages returns the handler of /dev/mailbox for people and /dev/mailbox.json for tools.
// Both accept ?phone=, digits with the country code.
func MailboxPages(m *mailbox.Mailbox) http.Handler {
	mux := http.NewServeMux()
	letters := func(r *http.Request) []mailbox.Letter { return m.Letters(phone.Digits(r.URL.Query().Get("phone"))) }
	mux.HandleFunc("GET /dev/mailbox", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_ = mailboxTemplate.Execute(w, letters(r)) // it fails only when the client has closed the connection
	})
	mux.HandleFunc("GET /dev/mailbox.json", func(w http.ResponseWriter, r *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"letters": letters(r)})
	})
	return mux
}
