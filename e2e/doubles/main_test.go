package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"servery/internal/captcha"
	"servery/internal/clock"
	"servery/internal/notify"
	"servery/internal/provider"
)

// file is what the journeys give the program, with the doubles' address for @.
const file = `
sushi:
  sms: [{provider: smsru, api_id: double-api-id, base_url: "@/smsru"}]
  call: [{provider: smsru, api_id: double-api-id, base_url: "@/smsru"}]
  captcha: {provider: turnstile, site_key: 1x00000000000000000000AA, secret: double-secret, base_url: "@/turnstile"}
  vk: {client_id: "51000001", base_url: "@/vk"}
`

func TestDoubles_areUnderstoodByTheProgramsClients(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newHandler())
	t.Cleanup(server.Close)
	name := filepath.Join(t.TempDir(), "providers.yaml")
	if err := os.WriteFile(name, []byte(strings.ReplaceAll(file, "@", server.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	book, err := provider.Read(name, []string{"sushi"}, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	m := notify.Message{Phone: "79161234567", Code: "1234", Text: "1234"}
	for _, channel := range []notify.Channel{notify.SMS, notify.Call} {
		if sent, err := book.Senders("sushi", channel)[0].Send(t.Context(), m); err != nil || (channel == notify.Call) != (len(sent.Code) == 4) {
			t.Errorf("%s: %q, %v", channel, sent.Code, err)
		}
	}
	if person, err := book.Site("sushi").Captcha.Verify(t.Context(), "person", ""); person != captcha.Passed || err != nil {
		t.Errorf("captcha: %v, %v", person, err)
	}
	page := book.Site("sushi").VK.AuthorizeURL(strings.Repeat("s", 40), strings.Repeat("v", 43), "http://localhost/auth/vk/callback", "ru")
	for path, want := range map[string]string{
		server.URL + "/smsru/sent?phone=79161234567": `"channel":"call"`,
		page: `<a href="agree?account=100003`,
	} {
		response, err := server.Client().Get(path)
		if err != nil {
			t.Fatal(err)
		}
		body := make([]byte, 8<<10)
		n, _ := response.Body.Read(body)
		_ = response.Body.Close()
		if !strings.Contains(string(body[:n]), want) {
			t.Errorf("%s: %d %s", path, response.StatusCode, body[:n])
		}
	}
}
