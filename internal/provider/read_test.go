package provider_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"servery/internal/clock"
	"servery/internal/notify"
	"servery/internal/provider"
	"servery/internal/site"
)

// writeFile writes a file of providers and returns its name.
func writeFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "providers.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// joinNames returns the names of the senders with spaces between.
func joinNames(senders []notify.Sender) string {
	var names []string
	for _, s := range senders {
		names = append(names, s.Name())
	}
	return strings.Join(names, " ")
}

const whole = `
sushi:
  sms:
    - {provider: smsru, api_id: A, from: Sushi}
    - {provider: smsc, login: l, password: p, from: Sushi}
    - {provider: smsc, api_key: k, base_url: "https://smsc.kz"}
  call:
    - {provider: smsru, api_id: A, base_url: "http://127.0.0.1:9900/smsru"}
    - provider: twilio
      service: VA1
      account: AC1
      secret: s
  captcha: {provider: turnstile, site_key: 1x00000000000000000000AA, secret: s, always: true}
  vk: {client_id: 51000001, confirm_phone: true}
pizza:
"*":
  sms: [{provider: smsru, api_id: B}]
  captcha: {provider: smartcaptcha, site_key: k, secret: s}
`

func TestRead_findsNoProvidersInAFileWithoutContent(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# none yet\n"} {
		if book, err := provider.Read(writeFile(t, text), []string{"sushi"}, clock.System{}); err != nil || len(book) > 0 {
			t.Errorf("%q has %v, %v", text, book, err)
		}
	}
}

func TestRead_findsTheSendersOfEachBrandInTheirOrder(t *testing.T) {
	t.Parallel()
	book, err := provider.Read(writeFile(t, whole), []string{"sushi", "shawarma", "pizza"}, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	if got := joinNames(book.Senders("sushi", notify.SMS)); got != "smsru smsc smsc" {
		t.Errorf("sms of sushi: %s", got)
	}
	if got := joinNames(book.Senders("sushi", notify.Call)); got != "smsru twilio" {
		t.Errorf("calls of sushi: %s", got)
	}
	if _, checks := book.Senders("sushi", notify.Call)[1].(notify.Checker); !checks {
		t.Error("twilio does not check its codes")
	}
	sushi := book.Site("sushi")
	if c := sushi.Captcha; c == nil || c.Provider != "turnstile" || c.SiteKey != "1x00000000000000000000AA" || !c.Always || c.Origin != "https://challenges.cloudflare.com" {
		t.Errorf("captcha of sushi: %+v", c)
	}
	if v := sushi.VK; v == nil || v.ClientID != "51000001" || !v.ConfirmPhone {
		t.Errorf("vk of sushi: %+v", v)
	}
	if got := joinNames(book.Senders("shawarma", notify.SMS)); got != "smsru" || book.Site("shawarma").Captcha.Always {
		t.Errorf("a brand without an entry has %s", got)
	}
	if book.Offers("shawarma", site.ByVK) || !book.Offers("sushi", site.ByVK) || !book.Offers("sushi", site.ByCall) || book.Offers("shawarma", site.ByCall) {
		t.Error("what is offered is not what there is")
	}
	if got := book.Senders("sushi", "vk"); got != nil {
		t.Errorf("an unknown channel has %v", got)
	}
}

func TestRead_reportsEachFaultWithItsLineAndNoSecret(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]struct{ text, says string }{
		"unknown site":        {"\nburger:\n  sms: []\n", `:2: there is no site "burger" in the content`},
		"unknown field":       {"sushi:\n  smss: []\n", `:2: there is no field "smss" here`},
		"unknown in a sender": {"sushi:\n  sms:\n    - {provider: smsru, api_id: hunter2, form: X}\n", `:3: there is no field "form" here`},
		"missing secret":      {"sushi:\n  sms:\n    - provider: smsru\n", ":3: api_id is missing"},
		"empty secret":        {"sushi:\n  sms:\n    - provider: smsru\n      api_id:\n", ":4: api_id is missing"},
		"missing password":    {"sushi:\n  sms:\n    - {provider: smsc, login: x}\n", ":3: password is missing"},
		"no provider":         {"sushi:\n  call:\n    - {api_id: hunter2}\n", ":3: provider is missing"},
		"unknown provider":    {"sushi:\n  captcha:\n    provider: recaptcha\n    secret: hunter2\n", ":3: provider must be smartcaptcha or turnstile"},
		"not a list":          {"sushi:\n  sms: {provider: smsru, api_id: hunter2}\n", ":2: sms must be a list"},
		"not fields":          {"sushi: hunter2\n", ":1: must be fields with values"},
		"not a truth":         {"sushi:\n  vk:\n    client_id: x\n    confirm_phone: hunter2\n", ":4: confirm_phone must be true or false"},
		"not a text":          {"sushi:\n  vk: {client_id: [hunter2]}\n", ":2: client_id must be a text; put it in quotes"},
		"plain http":          {"sushi:\n  vk: {client_id: x, base_url: \"http://example.com/hunter2\"}\n", ":2: base_url must look like https://example.com"},
		"a password in it":    {"sushi:\n  vk: {client_id: x, base_url: \"https://u:hunter2@example.com\"}\n", ":2: base_url must look like https://example.com"},
		"no yaml":             {"sushi:\n  sms: [{secret: hunter2\n", ": not YAML"},
		"twice":               {"sushi:\n  vk: {client_id: x}\nsushi:\n  vk: {client_id: hunter2}\n", ": not YAML"},
	} {
		_, err := provider.Read(writeFile(t, broken.text), []string{"sushi"}, clock.System{})
		var invalid *provider.Invalid
		if !errors.As(err, &invalid) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !strings.Contains(err.Error(), broken.says) || len(invalid.Faults) == 0 {
			t.Errorf("%s says %q, not %q", name, err, broken.says)
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s has a secret: %v", name, err)
		}
	}
	if _, err := provider.Read(filepath.Join(t.TempDir(), "none"), nil, clock.System{}); err == nil {
		t.Error("a file that is not there is read")
	}
}

func TestRead_reportsAllFaultsAtOnce(t *testing.T) {
	t.Parallel()
	_, err := provider.Read(writeFile(t, "burger:\n  sms:\n    - {provider: smsru}\n  vk: {}\n"), []string{"sushi"}, clock.System{})
	if err == nil || len(strings.Split(err.Error(), "\n")) != 3 {
		t.Errorf("faults: %v", err)
	}
}

func TestRead_takesAFileThatBeginsWithAByteOrderMark(t *testing.T) {
	t.Parallel()
	if _, err := provider.Read(writeFile(t, "\ufeffsushi:\n  sms: [{provider: smsru, api_id: x}]\n"), nil, clock.System{}); err != nil {
		t.Error(err)
	}
}

func TestRead_takesAnyBrandWhereContentIsUnknown(t *testing.T) {
	t.Parallel()
	if _, err := provider.Read(writeFile(t, "burger:\n  sms: [{provider: smsru, api_id: x}]\n"), nil, clock.System{}); err != nil {
		t.Error(err)
	}
}
