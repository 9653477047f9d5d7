package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"servery/internal/captcha"
	"servery/internal/clock"
	"servery/internal/geo"
	"servery/internal/geocoder"
	"servery/internal/lang"
	"servery/internal/notify"
	"servery/internal/provider"
)

// file is the file of providers that names all doubles; @ stands for their address.
const file = `
sushi:
  sms: [{provider: smsru, api_id: double-api-id, base_url: "@/smsru"}]
  call: [{provider: smsru, api_id: double-api-id, base_url: "@/smsru"}]
  captcha: {provider: turnstile, site_key: 1x00000000000000000000AA, secret: double-secret, base_url: "@/turnstile"}
  vk: {client_id: "51000001", base_url: "@/vk"}
  geocoders:
    - {provider: dadata, api_key: hunter2, base_url: "@/dadata"}
    - {provider: yandex, suggest_key: hunter2, geocoder_key: hunter2, suggest_url: "@/yandex", geocoder_url: "@/yandex"}
    - {provider: photon, base_url: "@/photon"}
    - {provider: nominatim, contact: it@example.com, base_url: "@/nominatim"}
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
	kazan := geocoder.City{
		ID: 2, Alias: "kazan", Name: lang.Text{lang.RU: "Казань"}, Country: "RU", Bounds: geo.Bounds{South: 55.6, West: 48.8, North: 55.9, East: 49.4},
	}
	for _, choice := range book.Site("sushi").Geocoders {
		if found, err := choice.Service.Find(t.Context(), kazan, "Баумана, 5", lang.RU); err != nil || found.Precision != geo.AtHouse {
			t.Errorf("%s: %+v, %v", choice.Service.Name(), found, err)
		}
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
