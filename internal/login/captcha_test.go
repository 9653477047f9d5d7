package login_test

import (
	"fmt"
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/login"
	"servery/internal/notify"
)

const (
	captchaWanted = "captcha_user_token login.captcha"
	refuseTooMany = "phone login.too_many"
)

// countSent counts codes as sent under a scope.
func (k *desk) countSent(scope string, sent int) {
	k.t.Helper()
	if err := k.login.CountSent(k.t.Context(), "sushi", scope, sent); err != nil {
		k.t.Fatal(err)
	}
}

func TestAsk_neverShutsACountryWhereThereIsACaptcha(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		home := k.newBrowser()
		home.signIn(anna)
		k.countSent("country:RU", 100_000)
		for captcha, want := range map[login.Captcha]string{
			login.NoCaptcha: refuseTooMany, login.CaptchaUnsolved: captchaWanted, login.CaptchaUnanswered: captchaWanted, login.CaptchaSolved: "",
		} {
			b := k.newBrowser()
			b.captcha = captcha
			if _, err := b.requestVerification(fmt.Sprintf("7916555%d001", captcha), notify.SMS); refusal(t, err) != want {
				t.Errorf("with the captcha %d: %v, want %q", captcha, err, want)
			}
		}
		again := k.newBrowser()
		again.device = home.device
		if _, err := again.requestVerification(anna, notify.SMS); err != nil {
			t.Errorf("a device that has signed in: %v", err)
		}
		if log := k.log.String(); strings.Count(log, "alert=true") != 1 || !strings.Contains(log, "country=RU") {
			t.Errorf("the log is %s", log)
		}
	})
}

func TestAsk_stopsARangeOfNumbersWithASolvedCaptchaToo(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		k.countSent("prefix:7916123", 25)
		b := k.newBrowser()
		for _, step := range []struct {
			captcha login.Captcha
			want    string
		}{{login.CaptchaUnsolved, captchaWanted}, {login.CaptchaUnanswered, captchaWanted}, {login.CaptchaSolved, ""}} {
			b.captcha = step.captcha
			if _, err := b.requestVerification("79161230001", notify.SMS); refusal(t, err) != step.want {
				t.Errorf("with the captcha %d: %v, want %q", step.captcha, err, step.want)
			}
		}
		k.countSent("prefix:7916123", 25)
		b = k.newBrowser()
		b.captcha = login.CaptchaSolved
		if _, err := b.requestVerification("79161230002", notify.SMS); refusal(t, err) != refuseTooMany {
			t.Errorf("a range that is stopped: %v", err)
		}
	})
}

func TestAsk_takesAnUnansweredCaptchaTwiceAnHourFromAnAddress(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		home := k.newBrowser()
		home.signIn(anna)
		const address = "203.0.113.9"
		for i, want := range []string{"", "", captchaWanted, captchaWanted} {
			b := k.newBrowser()
			b.address, b.captcha = address, login.CaptchaUnanswered
			if _, err := b.requestVerification(fmt.Sprintf("7916555%d001", i), notify.SMS); refusal(t, err) != want {
				t.Errorf("code %d: %v, want %q", i+1, err, want)
			}
		}
		known, solved := k.newBrowser(), k.newBrowser()
		known.address, known.captcha, known.device = address, login.CaptchaUnanswered, home.device
		solved.address, solved.captcha = address, login.CaptchaSolved
		for name, b := range map[string]*browser{anna: known, "79165559001": solved} {
			if _, err := b.requestVerification(name, notify.SMS); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
