package content_test

import (
	"maps"
	"slices"
	"testing"

	demo "servery/content"
	"servery/internal/content"
	"servery/internal/site"
)

const (
	brandFile     = "sushi/brand.yaml"
	citiesFile    = "sushi/cities.yaml"
	countriesFile = "countries.yaml"
	paymentTypes  = "payment_types: {delivery: [cash, card], takeaway: [cash]}"
	russia        = "cash_limit: 5000}"
)

func TestRead_reportsEachFaultOfPaymentsWithFileAndLine(t *testing.T) {
	t.Parallel()
	brand := func(lines string) change { return change{brandFile, paymentTypes, lines} }
	consent := func(fields string) change {
		return change{countriesFile, russia, "cash_limit: 5000, consents: [" + fields + "]}"}
	}
	for name, c := range map[string]struct {
		change change
		want   string
	}{
		"unknown payment type":   {brand("payment_types: {delivery: [bitcoin], takeaway: [cash]}"), brandFile + `:9: "bitcoin" is not one of cash, card, card_online, sbp, sberpay, apple_pay, google_pay`},
		"payment type twice":     {brand("payment_types: {delivery: [cash, cash], takeaway: [cash]}"), brandFile + ":9: cash stands here twice"},
		"online without account": {brand("payment_types: {delivery: [sbp], takeaway: [cash]}\nacquiring: {card_online: bank}"), citiesFile + ":1: sbp is offered for delivery, but acquiring names no account for it"},
		"account of cash":        {brand(paymentTypes + "\nacquiring: {cash: bank}"), brandFile + ":10: unknown field cash"},
		"name of an account":     {brand(paymentTypes + "\nacquiring: {sbp: Our Bank}"), brandFile + `:10: "Our Bank" is not the name of an account: lower-case latin letters, digits, single dashes and underscores, at most 64`},
		"card form":              {brand(paymentTypes + "\ncard_form: \"yes\""), brandFile + ":10: must be true or false"},
		"tax system":             {brand(paymentTypes + "\nfiscal: {tax: usn, vat: 22}"), brandFile + `:10: "usn" is not one of general, simple_income, simple_profit, farm, patent`},
		"tax on value":           {brand(paymentTypes + "\nfiscal: {vat: 18}"), brandFile + `:10: "18" is not one of none, 0, 5, 7, 10, 20, 22`},
		"no tax on value":        {brand(paymentTypes + "\nfiscal: {tax: general}"), brandFile + ":10: vat is missing"},
		"fiscal and nothing":     {brand(paymentTypes + "\nfiscal: true"), brandFile + ":10: fiscal is false or has the fields tax, vat, delivery_vat, mode, prepayment_vat and email"},
		"mode of receipts":       {brand(paymentTypes + "\nfiscal: {vat: 22, mode: advance}"), brandFile + `:10: "advance" is not one of full_prepayment, full_payment`},
		"tax of prepayments":     {brand(paymentTypes + "\nfiscal: {vat: 22, prepayment_vat: 22/122}"), brandFile + `:10: "22/122" is not one of calculated, plain`},
		"tax of no prepayment":   {brand(paymentTypes + "\nfiscal: {vat: 22, mode: full_payment, prepayment_vat: plain}"), brandFile + ":10: prepayment_vat is of prepayments, and mode is full_payment"},
		"e-mail for the receipt": {brand(paymentTypes + "\nfiscal: {vat: 22, email: yes}"), brandFile + `:10: "yes" is not one of required, optional`},
		"consent twice":          {consent(`{alias: news, text: A, version: "1"}, {alias: news, text: B, version: "1"}`), countriesFile + ":1: consent news is there twice"},
		"consent of no version":  {consent("{alias: news, text: A}"), countriesFile + ":1: version is missing"},
		"consent elsewhere":      {consent(`{alias: news, text: A, version: "1", url: "//evil.example"}`), countriesFile + `:1: the document begins with https://: "//evil.example"`},
		"consent in a script":    {consent(`{alias: news, text: A, version: "1", url: "javascript:x"}`), countriesFile + `:1: the document begins with https://: "javascript:x"`},
		"consent not spoken":     {consent(`{alias: news, text: {en: News}, version: "1"}`), citiesFile + ":1: the consent news in countries.yaml has no text in ru, the language of the brand's texts"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expectFault(t, c.want, c.change)
		})
	}
}

// readCities returns the cities of the fixture with the changes, by alias.
func readCities(t *testing.T, changes ...change) map[string]*site.City {
	t.Helper()
	read, found := content.Read(newFolder(t, changes...))
	if len(found) > 0 {
		t.Fatal(found)
	}
	byAlias := map[string]*site.City{}
	for _, c := range read.Document.Brands[0].Site.Cities {
		byAlias[c.Alias] = c
	}
	return byAlias
}

func TestPayments_ofACityReplaceThoseOfTheBrand(t *testing.T) {
	t.Parallel()
	byAlias := readCities(t,
		change{brandFile, paymentTypes, "payment_types: {delivery: [card_online, sbp, cash], takeaway: [cash]}\nacquiring: {card_online: yookassa, sbp: yookassa}\ncard_form: true\nfiscal: {tax: simple_income, vat: 22, delivery_vat: \"none\"}"},
		change{citiesFile, "price_list: de,", "price_list: de, payment_types: {delivery: [google_pay, card_online], takeaway: [card]}, acquiring: {card_online: stripe_de, google_pay: stripe_de}, card_form: false, fiscal: false,"},
	)
	moscow, berlin := byAlias["moscow"], byAlias["berlin"]
	if want := map[string]string{"card_online": "yookassa", "sbp": "yookassa"}; !maps.Equal(moscow.Acquiring, want) || !moscow.CardForm {
		t.Errorf("Moscow has %v, own form %t", moscow.Acquiring, moscow.CardForm)
	}
	if want := (site.Fiscal{Tax: "simple_income", VAT: "22", DeliveryVAT: "none", Mode: "full_prepayment", PrepaymentVAT: "calculated"}); moscow.Fiscal == nil || *moscow.Fiscal != want {
		t.Errorf("receipts of Moscow: %v", moscow.Fiscal)
	}
	if !slices.Equal(moscow.PaymentTypes[site.Delivery], []string{"card_online", "sbp", "cash"}) {
		t.Errorf("Moscow offers %v", moscow.PaymentTypes)
	}
	if want := map[string]string{"card_online": "stripe_de", "google_pay": "stripe_de", "sbp": "yookassa"}; !maps.Equal(berlin.Acquiring, want) {
		t.Errorf("Berlin has %v", berlin.Acquiring)
	}
	if berlin.CardForm || berlin.Fiscal != nil || !slices.Equal(berlin.PaymentTypes[site.Delivery], []string{"google_pay", "card_online"}) {
		t.Errorf("Berlin is not its own: %+v", berlin)
	}
}

func TestFiscal_taxesDeliveryLikeDishesByDefault(t *testing.T) {
	t.Parallel()
	moscow := readCities(t, change{brandFile, paymentTypes, paymentTypes + "\nfiscal: {vat: 5}"})["moscow"]
	if want := (site.Fiscal{VAT: "5", DeliveryVAT: "5", Mode: "full_prepayment", PrepaymentVAT: "calculated"}); moscow.Fiscal == nil || *moscow.Fiscal != want {
		t.Errorf("got %v", moscow.Fiscal)
	}
}

func TestFiscal_saysWhichReceiptsAreSentAndWhetherAnEmailIsRequired(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]site.Fiscal{
		"{vat: 22}":                                 {VAT: "22", DeliveryVAT: "22", Mode: "full_prepayment", PrepaymentVAT: "calculated"},
		"{vat: 22, prepayment_vat: plain}":          {VAT: "22", DeliveryVAT: "22", Mode: "full_prepayment", PrepaymentVAT: "plain"},
		"{vat: 22, mode: full_prepayment}":          {VAT: "22", DeliveryVAT: "22", Mode: "full_prepayment", PrepaymentVAT: "calculated"},
		"{vat: 22, mode: full_payment}":             {VAT: "22", DeliveryVAT: "22", Mode: "full_payment"},
		"{vat: 22, email: required}":                {VAT: "22", DeliveryVAT: "22", Mode: "full_prepayment", PrepaymentVAT: "calculated", EmailRequired: true},
		"{vat: none, email: optional, tax: patent}": {Tax: "patent", VAT: "none", DeliveryVAT: "none", Mode: "full_prepayment", PrepaymentVAT: "calculated"},
	} {
		moscow := readCities(t, change{brandFile, paymentTypes, paymentTypes + "\nfiscal: " + text})["moscow"]
		if moscow.Fiscal == nil || *moscow.Fiscal != want {
			t.Errorf("%s is read as %+v", text, moscow.Fiscal)
		}
		for payment, needed := range map[string]bool{site.CardOnline: want.EmailRequired, site.SBP: want.EmailRequired, site.Cash: false, site.Card: false} {
			if moscow.NeedsEmail(payment) != needed {
				t.Errorf("%s: an e-mail with %s: %t", text, payment, !needed)
			}
		}
	}
}

func TestRead_findsTheConsentsOfACountry(t *testing.T) {
	t.Parallel()
	read, found := content.Read(newFolder(t, change{
		countriesFile, russia, `cash_limit: 5000, consents: [{alias: notice, text: Прочитано, version: "2", required: true, url: "https://example.com/privacy"}, {alias: news, text: {ru: Новости, en: News}, version: "1"}]}`,
	}))
	if len(found) > 0 {
		t.Fatal(found)
	}
	got := read.Document.Countries[0].Consents
	if len(got) != 2 || got[0].Alias != "notice" || !got[0].Required || got[0].URL != "https://example.com/privacy" || got[0].Version != "2" || got[1].Required || got[1].Text["en"] != "News" {
		t.Errorf("got %+v", got)
	}
}

func TestDemo_offersEveryWayToPayAndAsksConsentWhereTheLawDoes(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, b := range demoBrands(t) {
		for _, c := range b.Site.Cities {
			for _, types := range c.PaymentTypes {
				for _, p := range types {
					seen[p] = true
				}
			}
			if isRussian := c.CountryCode == "RU"; (c.Fiscal != nil) != isRussian {
				t.Errorf("%s in %s: receipts %v", b.Site.Alias, c.Alias, c.Fiscal)
			}
		}
	}
	expectSeen(t, seen, site.PaymentTypes()...)
	read, _ := content.Read(demo.Demo())
	for _, c := range read.Document.Countries {
		for _, consent := range c.Consents {
			if isMarketing := consent.Alias == "news"; isMarketing == consent.Required {
				t.Errorf("%s: %s required: %t", c.Code, consent.Alias, consent.Required)
			}
			for _, b := range read.Document.Brands {
				for _, l := range b.Site.Languages {
					if consent.Text[l] == "" {
						t.Errorf("%s: %s has no text in %s", c.Code, consent.Alias, l)
					}
				}
			}
		}
	}
}
