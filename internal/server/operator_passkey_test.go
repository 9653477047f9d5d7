package server_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/descope/virtualwebauthn"
)

// passkeySession is a session that began with a passkey.
type passkeySession struct {
	id     int64 // of the passkey
	header []string
}

// useNewPasskey makes a passkey for the person whose header is given and signs in with it. It uses call for
// calls that must leave a row in the audit log.
func useNewPasskey(
	t *testing.T, e *edge, call func(method, path string, body object, header ...string) map[string]any, person []string,
) passkeySession {
	t.Helper()
	desk := e.browser(t)
	address, err := url.Parse(e.http.URL)
	if err != nil {
		t.Fatal(err)
	}
	site := virtualwebauthn.RelyingParty{Name: "Servery", ID: "localhost", Origin: "http://localhost:" + address.Port()}
	begin := func(path string, header ...string) (ceremony any, options string) {
		begun := desk.ok("POST", path, nil, header...)
		encoded, err := json.Marshal(begun["options"])
		if err != nil {
			t.Fatal(err)
		}
		return begun["ceremony"], string(encoded)
	}
	ceremony, asked := begin("/api/operator/sign-in/passkeys/begin", person...)
	options, err := virtualwebauthn.ParseAttestationOptions(asked)
	if err != nil {
		t.Fatal(err)
	}
	phone := virtualwebauthn.NewAuthenticatorWithOptions(virtualwebauthn.AuthenticatorOptions{UserHandle: []byte(options.UserID)})
	credential := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeRSA)
	made := virtualwebauthn.CreateAttestationResponse(site, phone, credential, *options)
	call("POST", "/api/operator/sign-in/passkeys", object{"ceremony": ceremony, "name": "phone", "credential": made}, person...)
	phone.AddCredential(credential)

	ceremony, asked = begin("/api/operator/sign-in/passkey/begin")
	challenge, err := virtualwebauthn.ParseAssertionOptions(asked)
	if err != nil {
		t.Fatal(err)
	}
	credential.Counter++
	signed := virtualwebauthn.CreateAssertionResponse(site, phone, credential, *challenge)
	begun := call("POST", "/api/operator/sign-in/passkey", object{"ceremony": ceremony, "credential": signed})
	header := []string{"Authorization", "Bearer " + begun["token"].(string)}
	passkeys := desk.ok("GET", "/api/operator/sign-in/passkeys", nil, header...)["passkeys"].([]any)
	if len(passkeys) != 1 || dig(passkeys[0], "name") != "phone" || dig(passkeys[0], "used_at") == nil {
		t.Errorf("the passkeys are %v", passkeys)
	}
	if self := desk.ok("GET", "/api/operator/sign-in/self", nil, header...); self["name"] != "olga" {
		t.Errorf("signed in as %v", self)
	}
	return passkeySession{idOf(dig(passkeys[0], "id")), header}
}
