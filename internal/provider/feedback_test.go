package provider_test

import (
	"strings"
	"testing"

	"servery/internal/clock"
	"servery/internal/provider"
)

func TestRead_feedbackOfEachBrand(t *testing.T) {
	t.Parallel()
	book, err := provider.Read(writeFile(t, `
sushi:
  feedback: {provider: smtp, host: smtp.example.com, user: forms, password: s, from: "Sushi <forms@sushi.example>", to: office@sushi.example}
pizza:
  feedback: {provider: webhook, url: "https://crm.example/forms", secret: a-secret-of-the-webhook}
  changes: {provider: webhook, url: "https://till.example/changes", secret: a-secret-of-the-webhook}
"*":
  feedback: {provider: smtp, host: localhost, port: 2525, security: none, from: a@b.example, to: c@d.example}
burger: {}
`), nil, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	for alias, want := range map[string]string{"sushi": "smtp", "pizza": "webhook", "shawarma": "smtp"} {
		if sender, ok := book.Forwarder(alias); !ok || sender.Name() != want {
			t.Errorf("%s has %v", alias, sender)
		}
	}
	if hook, ok := book.ChangeHook("pizza"); !ok || hook.Name() != "webhook" {
		t.Errorf("changes of pizza are posted to %v", hook)
	}
	if _, ok := book.ChangeHook("burger"); ok {
		t.Error("a brand without changes has a webhook for them")
	}
	if _, ok := book.Forwarder("burger"); ok {
		t.Error("a brand without feedback has a way of delivery")
	}
}

func TestRead_eachFaultOfFeedbackNamesItsLineAndNoSecret(t *testing.T) {
	t.Parallel()
	const usual = "host: h.example, from: a@b.example, to: c@d.example"
	for fields, says := range map[string]string{
		"provider: pigeon": ":2: provider must be smtp or webhook",
		"provider: smtp, host: h.example, from: a@b.example":                                 ":2: to is missing",
		"provider: smtp, host: h.example, from: hunter2, to: c@d.e":                          ":2: from and to must be e-mail addresses",
		"provider: smtp, user: x, " + usual:                                                  ":2: password is missing",
		"provider: smtp, security: none, " + usual:                                           ":2: security none is for this machine only",
		"provider: smtp, security: hunter2, " + usual:                                        ":2: security must be starttls, tls or none",
		"provider: smtp, port: hunter2, " + usual:                                            ":2: port must be a whole number from 1 to 65535",
		"provider: smtp, password_: hunter2, " + usual:                                       `:2: there is no field "password_" here`,
		"provider: webhook, secret: a-secret-of-the-webhook":                                 ":2: url is missing",
		"provider: webhook, url: \"https://x.example\", secret: hunter2":                     ":2: secret must have at least 16 characters",
		"provider: webhook, url: \"http://x.example\", secret: a-secret-hunter2-of-the-hook": ":2: url must look like https://example.com",
	} {
		_, err := provider.Read(writeFile(t, "sushi:\n  feedback: {"+fields+"}\n"), nil, clock.System{})
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s says %v", fields, err)
		}
	}
}
