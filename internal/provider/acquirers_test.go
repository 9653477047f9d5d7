package provider_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"servery/internal/acquiring"
	"servery/internal/clock"
	"servery/internal/provider"
)

const acquirers = `
sushi:
  acquirers:
    - {provider: yookassa, shop_id: 123456, secret_key: test_s, senders: published}
    - {provider: yookassa, name: yookassa-2, shop_id: "7", secret_key: s, senders: [192.0.2.0/24, "2001:db8::/32"], timeout_seconds: 5}
    - provider: sber_new
      user_name: u
      password: p
      sbp: true
      sberpay: true
      session_minutes: 20
      form_page: https://ecommerce.sberbank.ru/pay/
      company: {email: shop@example.com, inn: "0700000001", site: https://example.com}
    - {provider: sber, token: t, callback_key: k, base_url: "https://bank.example"}
    - {provider: sber, name: sber_too, user_name: u, password: p}
    - {provider: cardform, public_id: pk, api_secret: s, sbp: true}
    - {provider: cardform, name: own-form, public_id: pk, api_secret: s, base_url: "http://127.0.0.1:9900"}
    - {provider: stripe, secret_key: s, webhook_secret: w, apple_pay: true, google_pay: true}
    - {provider: ozan, api_key: a, provider_key: p, secret_key: s, address: Istiklal 1, city: Istanbul, postcode: "34000"}
"*":
  acquirers: [{provider: stripe, secret_key: s, webhook_secret: w}]
pizza:
  vk: {client_id: "1"}
`

func TestRead_findsTheAcquirersOfEachBrand(t *testing.T) {
	t.Parallel()
	book, err := provider.Read(writeFile(t, acquirers), []string{"sushi", "shawarma", "pizza"}, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	accounts := book.Accounts([]string{"sushi", "shawarma", "pizza"})
	want := []string{"cardform", "own-form", "ozan", "sber", "sber_new", "sber_too", "stripe", "yookassa", "yookassa-2"}
	if got := slices.Sorted(maps.Keys(accounts["sushi"])); !slices.Equal(got, want) {
		t.Errorf("sushi has %v", got)
	}
	for account, takes := range map[string][]acquiring.Method{
		"yookassa":   {acquiring.CardOnline, acquiring.SBP, acquiring.SberPay},
		"sber_new":   {acquiring.CardOnline, acquiring.SBP, acquiring.SberPay},
		"sber_too":   {acquiring.CardOnline},
		"cardform":   {acquiring.CardForm, acquiring.SBP},
		"stripe":     {acquiring.CardOnline, acquiring.ApplePay, acquiring.GooglePay},
		"ozan":       {acquiring.CardOnline},
		"yookassa-2": {acquiring.CardOnline, acquiring.SBP, acquiring.SberPay},
	} {
		a, ok := accounts.FindAcquirer("sushi", account)
		if !ok {
			t.Fatalf("no %s", account)
		}
		for _, m := range acquiring.Methods() {
			if a.SupportsMethod(m) != slices.Contains(takes, m) {
				t.Errorf("%s takes %s: %t", account, m, a.SupportsMethod(m))
			}
		}
	}
	if a, _ := accounts.FindAcquirer("sushi", "yookassa-2"); a.Name() != "yookassa" {
		t.Errorf("the provider of yookassa-2 is %s", a.Name())
	}
	settings, err := accounts["sushi"]["cardform"].LoadSettings(t.Context(), acquiring.CardForm)
	if err != nil || settings.Script != "https://checkout.cloudpayments.ru/checkout.js" || settings.PublicID != "pk" {
		t.Errorf("settings %+v, %v", settings, err)
	}
	if _, ok := accounts.FindAcquirer("shawarma", "stripe"); !ok {
		t.Error("a brand without an entry has not what all others have")
	}
	if _, ok := accounts.FindAcquirer("pizza", "stripe"); ok {
		t.Error("a brand with an entry has what all others have")
	}
}

func TestRead_reportsEachFaultOfAnAcquirerWithItsLineAndNoSecret(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]struct{ fields, says string }{
		"unknown":             {"provider: hunter2", ":3: provider must be yookassa or sber_new or sber or cardform or stripe or ozan"},
		"unknown field":       {"provider: ozan, api_key: hunter2, secret_key: hunter2, secret: hunter2", `:3: there is no field "secret" here`},
		"no account":          {"provider: yookassa, secret_key: hunter2", ":3: shop_id is missing"},
		"no password":         {"provider: sber_new, user_name: hunter2", ":3: password is missing"},
		"a token of the new":  {"provider: sber_new, user_name: u, password: hunter2, token: hunter2", `:3: there is no field "token" here`},
		"a form it has not":   {"provider: stripe, secret_key: hunter2, webhook_secret: hunter2, card_form: true", `:3: there is no field "card_form" here`},
		"name of the account": {"provider: stripe, name: Stripe hunter2, secret_key: s, webhook_secret: w", ":3: name must be lower-case latin letters, digits, single dashes and underscores, at most 64"},
		"the built-in one":    {"provider: stripe, name: sandbox, secret_key: s, webhook_secret: w", ":3: sandbox begins the names of built-in acquirers"},
		"in the open":         {"provider: stripe, secret_key: s, webhook_secret: w, base_url: \"http://hunter2.example\"", ":3: base_url must look like https://example.com"},
		"script in the open":  {"provider: cardform, public_id: p, api_secret: s, script: \"http://hunter2.example\"", ":3: script must look like https://example.com"},
		"networks":            {"provider: yookassa, shop_id: s, secret_key: s, senders: [hunter2]", ":3: a network looks like 192.0.2.0/24"},
		"no networks":         {"provider: yookassa, shop_id: s, secret_key: s, senders: hunter2", ":3: senders must be published or a list of networks"},
		"timeout":             {"provider: yookassa, shop_id: s, secret_key: s, timeout_seconds: 600", ":3: timeout_seconds must be a whole number from 1 to 120"},
		"company":             {"provider: sber_new, user_name: u, password: p, company: {ogrn: hunter2}", `:3: there is no field "ogrn" here`},
		"two of one name":     {"provider: ozan, api_key: a, secret_key: s}\n    - {provider: ozan, api_key: b, secret_key: s", ":4: two acquirers are called ozan: give one another name"},
	} {
		_, err := provider.Read(writeFile(t, "sushi:\n  acquirers:\n    - {"+broken.fields+"}\n"), nil, clock.System{})
		var invalid *provider.Invalid
		if !errors.As(err, &invalid) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !strings.Contains(err.Error(), broken.says) || len(invalid.Faults) != 1 {
			t.Errorf("%s says %q, not %q", name, err, broken.says)
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s has a secret: %v", name, err)
		}
	}
}
