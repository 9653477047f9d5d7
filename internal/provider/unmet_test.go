package provider_test

import (
	"slices"
	"testing"

	"servery/internal/clock"
	"servery/internal/provider"
	"servery/internal/site"
)

func TestBook_Unmet(t *testing.T) {
	t.Parallel()
	brand := func(change func(*site.Site)) *site.Site {
		s := &site.Site{
			Alias:    "sushi",
			Settings: site.Settings{IsAuthEnabled: true, NotificationChannels: []site.SignInChannel{site.BySMS, site.ByVK}},
			Cities: []*site.City{
				{
					Alias: "moscow", Delivery: true, PaymentTypes: map[site.OrderType][]string{site.Delivery: {"cash", "card_online", "sbp"}, site.Takeaway: {"sberpay"}},
					Acquiring: map[string]string{"card_online": "bank", "sbp": "bank", "sberpay": "other"},
				},
				{Alias: "kazan", Takeaway: true, PaymentTypes: map[site.OrderType][]string{site.Takeaway: {"sbp"}}, Acquiring: map[string]string{"sbp": "bank"}},
			},
		}
		change(s)
		return s
	}
	const (
		noSMS  = "brand sushi: notification_channels: no provider is configured for sms: write sms into the entry sushi of the file of providers (SERVERY_PROVIDERS), or take it out of the content"
		noVK   = "brand sushi: notification_channels: no provider is configured for vk: write vk into the entry sushi of the file of providers (SERVERY_PROVIDERS), or take it out of the content"
		noBank = "brand sushi: acquiring: there is no account bank for card_online, sbp in moscow, kazan: " +
			"write it into the acquirers of the entry sushi of the file of providers (SERVERY_PROVIDERS), or name another"
		sms  = "  sms: [{provider: smsru, api_id: x}]\n"
		vk   = "  vk: {client_id: x}\n"
		bank = "  acquirers: [{provider: yookassa, name: bank, shop_id: x, secret_key: y}]\n"
	)
	unchanged := func(*site.Site) {}
	for name, c := range map[string]struct {
		file    string
		brand   *site.Site
		sandbox bool
		want    []string
	}{
		"nothing is configured":        {"{}", brand(unchanged), true, []string{noSMS, noVK, noBank}},
		"everything is":                {"sushi:\n" + sms + vk + bank, brand(unchanged), false, nil},
		"it is for all brands":         {"\"*\":\n" + sms + vk + bank, brand(unchanged), false, nil},
		"it is for another brand":      {"pizza:\n" + sms + vk + bank, brand(unchanged), false, []string{noSMS, noVK, noBank}},
		"one of two":                   {"sushi:\n" + sms + bank, brand(unchanged), false, []string{noVK}},
		"no one signs in":              {"{}", brand(func(s *site.Site) { s.Settings.IsAuthEnabled = false }), false, []string{noBank}},
		"all is paid on receipt":       {"sushi:\n" + sms + vk, brand(func(s *site.Site) { s.Cities = nil }), false, nil},
		"the test bank of development": {"sushi:\n" + sms + vk, brand(func(s *site.Site) { s.Cities = s.Cities[1:]; s.Cities[0].Acquiring["sbp"] = "sandbox" }), true, nil},
		"the test bank, which a release has not": {"sushi:\n" + sms + vk, brand(func(s *site.Site) { s.Cities = s.Cities[1:]; s.Cities[0].Acquiring["sbp"] = "sandbox" }), false, []string{
			"brand sushi: acquiring: there is no account sandbox for sbp in kazan: " +
				"write it into the acquirers of the entry sushi of the file of providers (SERVERY_PROVIDERS), or name another",
		}},
	} {
		book, err := provider.Read(writeFile(t, c.file), nil, clock.System{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, u := range book.FindUnmet(c.brand, c.sandbox) {
			got = append(got, u.String())
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
