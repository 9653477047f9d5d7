// Package clients are the real clients of all acquirers, each with the double that it
// speaks to, for tests of their callers.
package clients

import (
	"maps"
	"net/http"
	"net/url"

	"servery/internal/acquiring"
	"servery/internal/acquiring/cardform"
	cfdouble "servery/internal/acquiring/cardform/double"
	"servery/internal/acquiring/double"
	"servery/internal/acquiring/ozan"
	ozdouble "servery/internal/acquiring/ozan/double"
	"servery/internal/acquiring/sber"
	sbdouble "servery/internal/acquiring/sber/double"
	"servery/internal/acquiring/stripe"
	stdouble "servery/internal/acquiring/stripe/double"
	"servery/internal/acquiring/yookassa"
	ykdouble "servery/internal/acquiring/yookassa/double"
	"servery/internal/clock"
)

// Client is a real client of an acquirer, and its double.
type Client struct {
	Name string
	// Currency is the one that it is tried with.
	Currency string
	// Bank makes the bank behind the double, Serve is the double in front of it.
	Bank  func(c *clock.Fake) *double.Bank
	Serve func(b *double.Bank) http.Handler
	// Make makes the client of the double at base.
	Make func(base string, c *clock.Fake) (acquiring.Acquirer, error)
	// Callback is what the acquirer sends about a payment as it is.
	Callback func(p double.Payment, c *clock.Fake) acquiring.Callback
	// Signed is a callback that somebody else signed, who has another secret; nil where
	// nothing is signed.
	Signed func(p double.Payment, c *clock.Fake, secret string) acquiring.Callback
	// Refusal is its code for a card without money.
	Refusal string
	Ways    []Way
}

// Way is a way to pay.
type Way struct {
	Method acquiring.Method
	// Ops are the operations of the double that may take money.
	Ops []string
	// Token is what the page encrypts, for a verify_param where it has to be asked for
	// first; nil where nothing is entered on the page.
	Token func(verify string) acquiring.Secret
	// Verifies says that a token needs a verify_param.
	Verifies bool
	// Prove is the customer at the bank's page of 3-D Secure; nil where there is none.
	Prove func(next acquiring.Next) acquiring.ThreeDSResult
}

// ListClients returns the clients of all acquirers.
func ListClients() []Client {
	const newGateway, legacyGateway = false, true
	return []Client{yooKassaClient(), sberClient("sber_new", newGateway), sberClient("sber", legacyGateway), ozanClient(), cardFormClient(), stripeClient()}
}

// pageWays returns ways to pay that need only the acquirer's page.
func pageWays(methods ...acquiring.Method) []Way {
	var ways []Way
	for _, m := range methods {
		ways = append(ways, Way{Method: m, Ops: []string{"start"}})
	}
	return ways
}

// yooKassaClient returns the client of YooKassa.
func yooKassaClient() Client {
	return Client{
		Name: "yookassa", Currency: "RUB", Refusal: "insufficient_funds",
		Bank:  func(c *clock.Fake) *double.Bank { return double.NewBank(c, "expired_on_confirmation") },
		Serve: func(b *double.Bank) http.Handler { return ykdouble.New(b) },
		Make: func(base string, c *clock.Fake) (acquiring.Acquirer, error) {
			return yookassa.New(yookassa.Config{BaseURL: base, ShopID: ykdouble.ShopID, SecretKey: ykdouble.SecretKey, Clock: c})
		},
		Callback: func(p double.Payment, _ *clock.Fake) acquiring.Callback { return ykdouble.NewCallback(p) },
		Ways:     pageWays(acquiring.CardOnline, acquiring.SBP, acquiring.SberPay),
	}
}

// ozanClient returns the client of Ozan.
func ozanClient() Client {
	return Client{
		Name: "ozan", Currency: "TRY", Refusal: "51",
		Bank:  func(c *clock.Fake) *double.Bank { return double.NewBank(c, "expired") },
		Serve: func(b *double.Bank) http.Handler { return ozdouble.New(b) },
		Make: func(base string, c *clock.Fake) (acquiring.Acquirer, error) {
			return ozan.New(ozan.Config{BaseURL: base, APIKey: ozdouble.APIKey, SecretKey: ozdouble.SecretKey, City: "Ankara", Clock: c})
		},
		Callback: func(p double.Payment, _ *clock.Fake) acquiring.Callback { return ozdouble.NewCallback(p) },
		Signed: func(p double.Payment, _ *clock.Fake, secret string) acquiring.Callback {
			return ozdouble.SignCallback(parseFields(string(ozdouble.NewCallback(p).Body)), secret)
		},
		Ways: pageWays(acquiring.CardOnline),
	}
}

// parseFields returns the fields of a form that a double has written.
func parseFields(text string) url.Values {
	values, err := url.ParseQuery(text)
	if err != nil {
		panic(err) // a double wrote it
	}
	return maps.Clone(values)
}

// sberClient returns the client of Sberbank's new gateway or, with isLegacy, of the older one.
// name is the Name of the client.
func sberClient(name string, isLegacy bool) Client {
	form := func(card string, ops ...string) Way {
		return Way{
			Method: acquiring.CardForm, Ops: ops, Verifies: true,
			Token: func(verify string) acquiring.Secret { return sbdouble.CardToken(card, verify) },
			Prove: func(next acquiring.Next) acquiring.ThreeDSResult {
				if next.ThreeDS.MethodURL != "" {
					return acquiring.ThreeDSResult{TransID: next.ThreeDS.TransID, MethodDone: true}
				}
				return acquiring.ThreeDSResult{CRes: acquiring.Secret(sbdouble.CRes(next.Ref, ""))}
			},
		}
	}
	c := Client{
		Name: name, Currency: "RUB", Refusal: "116",
		Bank:  func(c *clock.Fake) *double.Bank { return double.NewBank(c, "-2007") },
		Serve: func(b *double.Bank) http.Handler { return sbdouble.New(b, isLegacy) },
		Make: func(base string, c *clock.Fake) (acquiring.Acquirer, error) {
			return sber.New(sber.Config{
				BaseURL: base, Legacy: isLegacy, UserName: sbdouble.UserName, Password: sbdouble.Password, CallbackKey: sbdouble.CallbackKey,
				SBP: true, SberPay: true, CardForm: true, PublicKey: sbdouble.PublicKey(), Clock: c,
				Company: sber.Company{Email: "shop@example.com", INN: "7700000000", Site: "https://shop.example"},
			})
		},
		Callback: func(p double.Payment, _ *clock.Fake) acquiring.Callback { return sbdouble.NewCallback(p, isLegacy) },
		Ways: append(pageWays(acquiring.CardOnline, acquiring.SBP, acquiring.SberPay),
			form("5555555555555599", "start", "order"), form(sbdouble.Secure, "order", "method", "finish")),
	}
	sbp, sberPay := &c.Ways[1], &c.Ways[2]
	sberPay.Ops = []string{"start", "push"}
	if isLegacy {
		sbp.Ops = []string{"start", "qr"}
		c.Signed = func(p double.Payment, _ *clock.Fake, secret string) acquiring.Callback {
			return sbdouble.SignCallback(parseFields(sbdouble.NewCallback(p, isLegacy).Query), secret)
		}
	}
	return c
}

// cardFormClient returns the client of the card form.
func cardFormClient() Client {
	form := func(card string, ops ...string) Way {
		return Way{
			Method: acquiring.CardForm, Ops: ops,
			Token: func(string) acquiring.Secret { return cfdouble.Cryptogram(card) },
			Prove: func(next acquiring.Next) acquiring.ThreeDSResult {
				return acquiring.ThreeDSResult{PaRes: acquiring.Secret(cfdouble.PaRes(next.Ref, ""))}
			},
		}
	}
	return Client{
		Name: "cardform", Currency: "RUB", Refusal: "5051",
		Bank:  func(c *clock.Fake) *double.Bank { return double.NewBank(c, "5017") },
		Serve: func(b *double.Bank) http.Handler { return cfdouble.New(b) },
		Make: func(base string, c *clock.Fake) (acquiring.Acquirer, error) {
			return cardform.New(cardform.Config{
				BaseURL: base, Script: "https://checkout.example/checkout.js", PublicID: cfdouble.PublicID, APISecret: cfdouble.APISecret,
				SBP: true, SberPay: true, Clock: c,
			})
		},
		Callback: func(p double.Payment, _ *clock.Fake) acquiring.Callback { return cfdouble.NewCallback(p) },
		Signed: func(p double.Payment, _ *clock.Fake, secret string) acquiring.Callback {
			return cfdouble.SignCallback(cfdouble.NewCallback(p).Body, secret)
		},
		Ways: append(pageWays(acquiring.SBP, acquiring.SberPay), form("4000000000003055", "start"), form(cfdouble.Secure[0], "start", "finish")),
	}
}

// stripeClient returns the client of Stripe.
func stripeClient() Client {
	token := func(string) acquiring.Secret { return "pm_ok-1" }
	return Client{
		Name: "stripe", Currency: "EUR", Refusal: "insufficient_funds",
		Bank:  func(c *clock.Fake) *double.Bank { return double.NewBank(c, "expired") },
		Serve: func(b *double.Bank) http.Handler { return stdouble.New(b) },
		Make: func(base string, c *clock.Fake) (acquiring.Acquirer, error) {
			return stripe.New(stripe.Config{
				BaseURL: base, PublishableKey: "pk_test_double", SecretKey: stdouble.SecretKey, WebhookSecret: stdouble.WebhookSecret,
				CardForm: true, ApplePay: true, GooglePay: true, Clock: c,
			})
		},
		Callback: func(p double.Payment, c *clock.Fake) acquiring.Callback { return stdouble.NewCallback(p, c) },
		Signed: func(p double.Payment, c *clock.Fake, secret string) acquiring.Callback {
			return stdouble.SignCallback(stdouble.NewCallback(p, c).Body, secret, c.Now())
		},
		Ways: append(pageWays(acquiring.CardOnline),
			Way{Method: acquiring.CardForm, Ops: []string{"start"}, Token: token},
			Way{Method: acquiring.ApplePay, Ops: []string{"start"}, Token: token},
			Way{Method: acquiring.GooglePay, Ops: []string{"start"}, Token: token},
		),
	}
}
