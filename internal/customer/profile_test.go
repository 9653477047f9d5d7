package customer

import (
	"strings"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/fault"
)

var at = changeContext{
	today:   clock.Day{Year: 2026, Month: time.November, Day: 20},
	now:     time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
	address: "203.0.113.7",
}

// refusals returns the first key at each field that a change is refused at.
func refusals(t *testing.T, p Profile, c Change) map[string]string {
	t.Helper()
	after, answers, err := p.changedBy(c, at)
	if err == nil {
		return nil
	}
	f, ok := fault.Of(err)
	if !ok || f.Code != fault.Invalid || len(answers) > 0 || after.ID != 0 {
		t.Fatalf("%v, %v, %v", after, answers, err)
	}
	fields := map[string]string{}
	for field, messages := range f.Fields {
		fields[field] = messages[0].Key
	}
	return fields
}

func TestProfile_refusesImpossibleValues(t *testing.T) {
	t.Parallel()
	p := Profile{Customer: Customer{ID: 7, Phone: "79161234567", Name: "Anna"}}
	for name, c := range map[string]struct {
		change Change
		field  string
		key    string
	}{
		"a name of spaces":              {Change{Name: new("  ")}, "name", "customer.name_required"},
		"a name of 101 letters":         {Change{Name: new(strings.Repeat("ы", 101))}, "name", "common.too_long"},
		"another phone":                 {Change{Phone: new("79160000000")}, "phone", "customer.phone_fixed"},
		"no sex of the form":            {Change{Sex: new(Sex("other"))}, "sex", "common.not_allowed"},
		"a birthday as ISO writes it":   {Change{Birthday: new("1991-03-08")}, "birthday", "customer.birthday_invalid"},
		"the 30th of February":          {Change{Birthday: new("30.02.1991")}, "birthday", "customer.birthday_invalid"},
		"a birthday tomorrow":           {Change{Birthday: new("21.11.2026")}, "birthday", "customer.birthday_range"},
		"a birthday a day too long ago": {Change{Birthday: new("19.11.1906")}, "birthday", "customer.birthday_range"},
		"an e-mail without a host":      {Change{Email: new("anna@")}, "email", "customer.email_invalid"},
		"an e-mail at one word":         {Change{Email: new("anna@localhost")}, "email", "customer.email_invalid"},
		"an e-mail with a name":         {Change{Email: new("Anna <anna@example.org>")}, "email", "customer.email_invalid"},
		"two e-mails":                   {Change{Email: new("a@example.org, b@example.org")}, "email", "customer.email_invalid"},
		"an e-mail of 255 bytes":        {Change{Email: new(strings.Repeat("a", 243) + "@example.org")}, "email", "customer.email_invalid"},
	} {
		if got := refusals(t, p, c.change); len(got) != 1 || got[c.field] != c.key {
			t.Errorf("%s: %v, want %s", name, got, c.key)
		}
	}
	all := Change{Name: new(""), Phone: new("1"), Sex: new(Sex("x")), Birthday: new("x"), Email: new("x"), Consents: map[Kind]bool{News: true}}
	if got := refusals(t, p, all); len(got) != 6 {
		t.Errorf("all at once: %v", got)
	}
}

func TestProfile_keepsFieldsLeftOutAndClearsEmptyOnes(t *testing.T) {
	t.Parallel()
	p := Profile{Customer: Customer{ID: 7, Phone: "79161234567", Name: "Anna"}}
	entered, _, err := p.changedBy(Change{
		Name: new(" Анна-Мария О’Нил "), Phone: new(p.Phone), Sex: new(Female), Birthday: new("20.11.1906"), Email: new("anna@example.org"),
	}, at)
	if err != nil || entered.Name != "Анна-Мария О’Нил" || entered.Sex != Female || entered.Email != "anna@example.org" || BirthdayText(entered.Birthday) != "20.11.1906" {
		t.Fatalf("entered %#v, %v", entered, err)
	}
	if today, _, err := p.changedBy(Change{Birthday: new("20.11.2026")}, at); err != nil || today.Birthday != at.today {
		t.Errorf("born today: %v, %v", today.Birthday, err)
	}
	if man, _, err := entered.changedBy(Change{Sex: new(Male)}, at); err != nil || man.Sex != "male" {
		t.Errorf("the sex male: %q, %v", man.Sex, err)
	}
	kept, _, err := entered.changedBy(Change{}, at)
	if err != nil || kept.Name != entered.Name || kept.Sex != Female || kept.Birthday != entered.Birthday || kept.Email != entered.Email {
		t.Errorf("kept %#v, %v", kept, err)
	}
	emptied, _, err := entered.changedBy(Change{Sex: new(NoSex), Birthday: new(""), Email: new(" ")}, at)
	if err != nil || emptied.Sex != NoSex || !emptied.Birthday.IsZero() || emptied.Email != "" || emptied.Name != entered.Name {
		t.Errorf("emptied %#v, %v", emptied, err)
	}
}

func TestUpdate_refusesConsentToATextThatWasNotShown(t *testing.T) {
	t.Parallel()
	var p Profile
	for name, version := range map[string]string{"none": "", "an old one": "2020-01-news", "that of another": PaperlessReceipts.Version()} {
		c := Change{Consents: map[Kind]bool{News: true}, Versions: map[Kind]string{News: version}}
		if got := refusals(t, p, c); got["is_subscribed"] != "customer.consent_version" {
			t.Errorf("with the version %s: %v", name, got)
		}
	}
	c := Change{Consents: map[Kind]bool{PaperlessReceipts: true}}
	if got := refusals(t, p, c); got["is_print_fiscal_receipt"] != "customer.consent_version" {
		t.Errorf("receipts: %v", got)
	}
}

func TestConsent_isStoredWithItsTextForEachAnswer(t *testing.T) {
	t.Parallel()
	var p Profile
	answer := func(given bool, version string) int {
		t.Helper()
		after, answers, err := p.changedBy(Change{Consents: map[Kind]bool{News: given}, Versions: map[Kind]string{News: version}}, at)
		if err != nil {
			t.Fatal(err)
		}
		p = after
		return len(answers)
	}
	if n := answer(false, ""); n != 0 || p.Consent(News).IsGiven {
		t.Error("nothing is agreed to before it is ticked, and to leave it so is no answer")
	}
	if n := answer(true, News.Version()); n != 1 || !p.Consent(News).IsGiven || p.Consent(PaperlessReceipts).IsGiven {
		t.Error("it was ticked")
	}
	if n := answer(true, ""); n != 0 || !p.Consent(News).IsGiven {
		t.Error("to leave it ticked is no answer")
	}
	if n := answer(false, ""); n != 1 || p.Consent(News).IsGiven {
		t.Error("it was taken back")
	}
	want := []Answer{
		{News, News.Version(), false, at.address, at.now},
		{News, News.Version(), true, at.address, at.now},
	}
	if len(p.Consents) != 2 || p.Consents[0] != want[0] || p.Consents[1] != want[1] {
		t.Errorf("kept %v", p.Consents)
	}
}
