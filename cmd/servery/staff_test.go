package main

import (
	"slices"
	"strings"
	"testing"

	"servery/internal/audit"
	"servery/internal/db"
)

func TestStaff_areAddedListedInvitedAndRemoved(t *testing.T) {
	t.Parallel()
	eachShell(t, func(t *testing.T, s shell, _ string) {
		s.mustRun(t, `(?s).*`, "import", "-create", writeMenu(t, 30))
		s.mustRun(t, `invite_[A-Z2-7]{26}\nthe invitation can be accepted once within 3 days; .*\nit is accepted at /staff/invitation#invite_[A-Z2-7]{26} below .*`, "staff", "add", "-role", "manager", "-brand", "sushi", "-shops", "11", "-name", "Olga P.", "Olga")
		s.mustRun(t, `(?s)invite_.*`, "staff", "add", "-role", "owner", "-name", "Boris", "boris")
		s.mustRun(t, `LOGIN +NAME +ROLE +BRAND +SHOPS +STATE\nboris +Boris +owner +all +all +invited\nolga +Olga P\. +manager +sushi +11 +invited`, "staff", "list")
		s.mustRun(t, `(?s)invite_.*`, "staff", "invite", "olga")
		link := `https://sushi\.example/staff/invitation#invite_[A-Z2-7]{26}\nthe invitation can be accepted once within 3 days; .*`
		public := append(slices.Clone(s), "SERVERY_PUBLIC_URL=https://sushi.example")
		public.mustRun(t, link, "staff", "invite", "olga")
		public.mustRun(t, link, "staff", "add", "-role", "owner", "-name", "Vera", "vera")
		public.mustRun(t, `vera is removed.*`, "staff", "remove", "vera")
		s.mustRun(t, `olga: 0 sessions and 0 shifts at devices have ended`, "staff", "sign-out", "olga")
		s.mustRun(t, `olga is removed.*`, "staff", "remove", "olga")
		s.mustRun(t, `LOGIN .*\nboris .*`, "staff", "list")
		calls := s.loggedCalls(t)
		for _, call := range []string{"servery import", "servery staff add", "servery staff invite", "servery staff remove"} {
			if !slices.Contains(calls, call) {
				t.Errorf("the audit log has no %q among %q", call, calls)
			}
		}
		for want, args := range map[string]string{
			"the brands are: pizza, sushi": "add -role manager -brand burger -name O olga",
			"has no shop 99":               "add -role manager -brand sushi -shops 99 -name O olga",
			"a role is":                    "add -role admin -brand sushi -name O olga",
			"person's name":                "add -role owner olga",
			"no account":                   "remove olga",
			"staff takes":                  "list olga",
			"not \"fire\"":                 "fire olga",
		} {
			text, err := s.run(t, append([]string{"staff"}, strings.Fields(args)...)...)
			if err == nil || !strings.Contains(err.Error(), want) || text != "" {
				t.Errorf("%s: %v\n%s", args, err, text)
			}
		}
	})
}

// loggedCalls returns the commands in the newest 100 entries of the audit log. The shell must be of eachShell.
func (s shell) loggedCalls(t *testing.T) []string {
	t.Helper()
	d, err := db.Open(t.Context(), db.Config{Dir: strings.TrimPrefix(s[0], "SERVERY_DATA="), URL: strings.TrimPrefix(s[1], "DATABASE_URL=")})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	log, _, err := audit.NewLog(d).List(t.Context(), audit.Filter{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var calls []string
	for _, change := range log {
		if change.Kind == audit.Command {
			calls = append(calls, change.Call)
		}
	}
	return calls
}
