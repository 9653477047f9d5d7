package main

import (
	"regexp"
	"strings"
	"testing"
)

func TestToken_isAddedListedAndRevoked(t *testing.T) {
	t.Parallel()
	eachShell(t, func(t *testing.T, s shell, _ string) {
		s.mustRun(t, `(?s).*`, "import", "-create", writeMenu(t, 30))
		s.mustRun(t, `servery_[A-Z2-7]{26}\ntill-1 is valid until \d{4}-\d\d-\d\d; .*`, "token", "add", "-brand", "sushi", "-shops", "11,12", "-rights", "orders.read,stops.set", "till-1")
		s.mustRun(t, `(?s)servery_.*`, "token", "add", "-rights", "usual", "-days", "30", "desk")
		row := `\d{4}-\d\d-\d\d  never  `
		s.mustRun(t, `NAME +BRAND +SHOPS +UNTIL +USED +STATE +RIGHTS\ndesk +all +all +`+row+`valid +orders.read .*\ntill-1 +sushi +11 12 +`+row+`valid +orders.read stops.set`, "token", "list")
		s.mustRun(t, `till-1 is revoked.*`, "token", "revoke", "till-1")
		if text, err := s.run(t, "token", "list"); err != nil || !regexp.MustCompile(`till-1 .*  revoked `).MatchString(text) {
			t.Errorf("%v\n%s", err, text)
		}
	})
}

func TestToken_isRefusedForWhatDoesNotExist(t *testing.T) {
	t.Parallel()
	eachShell(t, func(t *testing.T, s shell, _ string) {
		s.mustRun(t, `(?s).*`, "import", "-create", writeMenu(t, 30))
		for want, args := range map[string]string{
			"the brands are: pizza, sushi": "add -brand burger -rights usual till",
			"has no shop 99":               "add -brand sushi -shops 99 -rights usual till",
			"no right":                     "add -rights everything till",
			"needs a right":                "add till",
			"needs their":                  "add -shops 11 -rights usual till",
			"two years":                    "add -rights usual -days 9999 till",
			"no token in use":              "revoke till",
			"token takes":                  "list till",
			"token takes: a":               "add -rights usual",
			"not \"rotate\"":               "rotate till",
		} {
			text, err := s.run(t, append([]string{"token"}, strings.Fields(args)...)...)
			if err == nil || !strings.Contains(err.Error(), want) || text != "" {
				t.Errorf("%s: %v\n%s", args, err, text)
			}
		}
	})
}
