package page

import (
	"strings"
	"testing"

	"servery/internal/lang"
	"servery/internal/server/convert"
	"servery/internal/site"
	"servery/web"
)

func TestInvitationPage_hasItsFieldsInEachLanguage(t *testing.T) {
	t.Parallel()
	brand := &site.Site{Name: lang.Text{lang.RU: "Умико", lang.EN: "Umiko"}, DefaultLanguage: lang.RU}
	headings := map[string]bool{}
	for _, l := range lang.All() {
		p := invitationPage{document: newDocument(web.Manifest{}, "", l, brand), texts: convert.Localizer{Site: brand, Lang: l}}
		written, err := p.writeHTML()
		if err != nil {
			t.Fatal(err)
		}
		html := string(written)
		for _, want := range []string{
			`<html lang="` + string(l) + `">`, `<meta name="robots" content="noindex">`, `<meta name="color-scheme" content="light dark">`,
			`<label for="password">` + p.Say("password"), `autocomplete="new-password"`, `<label for="code">` + p.Say("code"),
			`inputmode="numeric" autocomplete="one-time-code"`, `autocomplete="username" hidden`, `role="alert"`,
		} {
			if !strings.Contains(html, want) {
				t.Errorf("%s: no %s in %s", l, want, html)
			}
		}
		if strings.Contains(html, "staff.") || strings.Contains(html, "{") {
			t.Errorf("%s: a text is missing: %s", l, html)
		}
		headings[p.Say("heading")] = true
	}
	if len(headings) != len(lang.All()) {
		t.Errorf("the headings are %v", headings)
	}
}
