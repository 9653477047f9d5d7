// Package double stands in for VK ID, for tests and journeys: a page with accounts to
// choose from, codes that work once, and the checks of PKCE.
package double

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"servery/internal/remote/faultinject"
)

// Account is someone at VK.
type Account struct {
	ID    int64
	Name  string
	Phone string
}

// Accounts returns the accounts that the page offers.
func Accounts() []Account {
	return []Account{
		{ID: 100001, Name: "Анна", Phone: "79161234501"},
		{ID: 100002, Name: "Борис", Phone: "79161234502"},
		{ID: 100003, Name: "Вера без телефона"},
	}
}

// begun is what a visitor agreed to.
type begun struct {
	account                              Account
	challenge, redirect, state, deviceID string
}

// Server is VK ID with one application.
type Server struct {
	faultinject.Handler

	clientID string
	// Numbers types ids and phones as numbers, as VK does at times.
	Numbers bool

	mu     sync.Mutex
	codes  map[string]begun
	tokens map[string]Account
}

// New returns a VK ID with one application.
func New(clientID string) *Server {
	s := &Server{clientID: clientID, codes: map[string]begun{}, tokens: map[string]Account{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /authorize", s.handleAuthorize)
	mux.HandleFunc("GET /agree", s.handleAgree)
	mux.HandleFunc("POST /oauth2/auth", s.handleExchange)
	mux.HandleFunc("POST /oauth2/user_info", s.handleUserInfo)
	s.Next = mux
	return s
}

var page = template.Must(template.New("").Parse(`<!doctype html>
<html lang="ru"><head><meta charset="utf-8"><title>VK ID</title></head><body><main><h1>VK ID</h1><ul>
{{range .}}<li><a href="{{.Link}}">{{.Name}}</a></li>
{{end}}</ul></main></body></html>
`))

// handleAuthorize answers with the page where the visitor chooses an account.
func (s *Server) handleAuthorize(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	const shortestState, challengeLength = 32, 43
	if asked.Get("response_type") != "code" || asked.Get("client_id") != s.clientID || asked.Get("code_challenge_method") != "S256" ||
		len(asked.Get("code_challenge")) != challengeLength || len(asked.Get("state")) < shortestState || asked.Get("redirect_uri") == "" {
		http.Error(w, "Selected sign-in method not available for app", http.StatusBadRequest)
		return
	}
	type choice struct{ Name, Link string }
	var choices []choice
	for _, a := range Accounts() {
		q := url.Values{
			"account": {strconv.FormatInt(a.ID, 10)}, "code_challenge": asked["code_challenge"],
			"redirect_uri": asked["redirect_uri"], "state": asked["state"],
		}
		choices = append(choices, choice{a.Name, "agree?" + q.Encode()})
	}
	choices = append(choices, choice{"Отказаться", "agree?" + url.Values{"redirect_uri": asked["redirect_uri"], "state": asked["state"]}.Encode()})
	_ = page.Execute(w, choices) // it fails only when the client has closed the connection
}

// handleAgree redirects the visitor back with a code, or with a refusal when no account was
// chosen.
func (s *Server) handleAgree(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	out := url.Values{"state": q["state"]}
	if code, device := s.Agree(q.Get("account"), q.Get("code_challenge"), q.Get("redirect_uri"), q.Get("state")); code != "" {
		out.Set("code", code)
		out.Set("device_id", device)
		out.Set("type", "code_v2")
	} else {
		out.Set("error", "access_denied")
		out.Set("error_description", "User denied access")
	}
	back.RawQuery = out.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound) //nolint:gosec // a stand-in without anybody to protect
}

// Agree chooses an account by its id, as a visitor does. It returns code and device of the
// redirect; both are empty for an unknown account.
func (s *Server) Agree(account, challenge, redirect, state string) (code, deviceID string) {
	for _, a := range Accounts() {
		if strconv.FormatInt(a.ID, 10) == account {
			s.mu.Lock()
			defer s.mu.Unlock()
			code, deviceID = "vk2.a."+rand.Text(), rand.Text()
			s.codes[code] = begun{a, challenge, redirect, state, deviceID}
			return code, deviceID
		}
	}
	return "", ""
}

// refuse answers with VK's refusal, which has status 200.
func refuse(w http.ResponseWriter, reason, description, state string) {
	faultinject.WriteJSON(w, http.StatusOK, map[string]any{"error": reason, "error_description": description, "state": state})
}

// handleExchange answers with a token for a code, which can be used once.
func (s *Server) handleExchange(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := r.FormValue("state")
	b, ok := s.codes[r.FormValue("code")]
	delete(s.codes, r.FormValue("code")) // a refused attempt uses the code up too
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	switch {
	case r.FormValue("grant_type") != "authorization_code" || r.FormValue("client_id") != s.clientID:
		refuse(w, "invalid_client", "client is invalid", state)
	case r.Header.Get("Authorization") != "" || r.FormValue("client_secret") != "":
		refuse(w, "invalid_request", "a public client has no secret", state)
	case !ok:
		refuse(w, "invalid_grant", "Code is invalid or expired.", state)
	case base64.RawURLEncoding.EncodeToString(sum[:]) != b.challenge:
		refuse(w, "invalid_grant", "code_verifier is invalid", state)
	case r.FormValue("redirect_uri") != b.redirect || r.FormValue("device_id") != b.deviceID || state != b.state:
		refuse(w, "invalid_request", "device_id or redirect_uri is invalid", state)
	default:
		token := "vk2.t." + rand.Text()
		s.tokens[token] = b.account
		faultinject.WriteJSON(w, http.StatusOK, map[string]any{
			"access_token": token, "refresh_token": "vk2.r." + rand.Text(), "id_token": "x.y.z", "token_type": "Bearer",
			"expires_in": 3600, "user_id": b.account.ID, "state": state, "scope": "vkid.personal_info phone",
		})
	}
}

// handleUserInfo answers with the account of a token.
func (s *Server) handleUserInfo(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.tokens[r.FormValue("access_token")]
	if !ok || r.FormValue("client_id") != s.clientID {
		refuse(w, "invalid_token", "access_token is missing or invalid", "")
		return
	}
	user := map[string]any{
		"user_id": strconv.FormatInt(a.ID, 10), "first_name": a.Name, "last_name": "Иванова", "phone": a.Phone,
		"avatar": "", "sex": 1, "verified": false, "birthday": "01.01.1990",
	}
	if s.Numbers {
		user["user_id"] = a.ID
		if n, err := strconv.ParseInt(a.Phone, 10, 64); err == nil {
			user["phone"] = n
		}
	}
	faultinject.WriteJSON(w, http.StatusOK, map[string]any{"user": user})
}
