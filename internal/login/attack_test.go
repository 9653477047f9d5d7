package login_test

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/login"
	"servery/internal/notify"
)

func TestCheck_countsFiveOfAHundredConcurrentGuesses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		b := newDesk(t, d).newBrowser()
		code := b.requestCode(anna)
		var counted, dead atomic.Int64
		var work sync.WaitGroup
		for range 100 {
			work.Go(func() {
				_, _, err := b.login.Check(t.Context(), login.Attempt{Site: b.brand, Token: b.token, Code: otherCode(code)}, joinNothing)
				switch refusal(t, err) {
				case wrongCode:
					counted.Add(1)
				case codeDead:
					dead.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		work.Wait()
		var tries, wrong int64
		row := d.Reader().QueryRowContext(t.Context(), "SELECT c.tries, b.wrong FROM login_challenge c, login_budget b")
		if err := row.Scan(&tries, &wrong); err != nil {
			t.Fatal(err)
		}
		// The fifth that counts gets that the code is dead, as all after it are.
		if counted.Load() != 4 || dead.Load() != 96 || tries != 5 || wrong != 5 {
			t.Errorf("%d got the tries left, %d that the code is dead; %d tries and %d wrong are kept", counted.Load(), dead.Load(), tries, wrong)
		}
	})
}

// guesser guesses the codes of one phone, each from another address.
type guesser struct {
	*desk

	// missed is the probability that no guess was right so far: each code is drawn again,
	// and n different guesses at one of s equally likely codes miss it with 1 - n/s.
	missed  float64
	guesses map[int]int // by length of code
	browser *browser
	asked   int // requests for codes, refused ones too
}

// newGuesser returns a guesser with a browser of its own.
func (k *desk) newGuesser() *guesser {
	return &guesser{desk: k, missed: 1, guesses: map[int]int{}, browser: k.newBrowser()}
}

// guessUntil requests codes and guesses each as often as the limits allow, until an instant. After a
// refusal it waits for as long as the refusal says, because nothing changes in between.
func (g *guesser) guessUntil(until time.Time) {
	g.t.Helper()
	for g.clock.Now().Before(until) {
		g.asked++
		g.browser.address = fmt.Sprintf("10.%d.%d.1", g.asked/250, g.asked%250)
		v, err := g.browser.requestVerification(anna, notify.SMS)
		if err != nil {
			g.waitAfter(err, until)
			continue
		}
		g.deliver()
		g.guessCode(v.CodeLength, g.sms.last().Code, until)
	}
}

// waitAfter advances the clock by the time that a refusal names, at most to until.
func (g *guesser) waitAfter(err error, until time.Time) {
	g.t.Helper()
	f, ok := fault.Of(err)
	if !ok || f.Code != fault.TooMany || f.RetryAfter <= 0 {
		g.t.Fatal(err)
	}
	g.clock.Advance(min(f.RetryAfter, max(0, until.Sub(g.clock.Now()))))
}

// guessCode enters wrong codes until the code is dead, and adds them to guesses and missed. length is
// that of the code, and right its text.
func (g *guesser) guessCode(length int, right string, until time.Time) {
	g.t.Helper()
	for {
		_, err := g.browser.enter(otherCode(right))
		if fault.CodeOf(err) == fault.TooMany {
			g.waitAfter(err, until)
		} else if refusal(g.t, err) != wrongCode {
			break
		}
	}
	possibleCodes, guesses := math.Pow10(length), g.countAttempts()
	g.guesses[length] += guesses
	g.missed *= 1 - float64(guesses)/possibleCodes
}

// countAttempts returns how many attempts the newest code has counted.
func (g *guesser) countAttempts() (n int) {
	g.t.Helper()
	if err := g.db.Reader().QueryRowContext(g.t.Context(), "SELECT tries FROM login_challenge ORDER BY id DESC LIMIT 1").Scan(&n); err != nil {
		g.t.Fatal(err)
	}
	return n
}

func TestGuesses_ofOnePhoneForThirtyDaysSucceedWithAQuarterPercentAtMost(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		g := newDesk(t, d).newGuesser()
		for range 30 {
			g.guessUntil(g.clock.Now().Add(24 * time.Hour))
			if err := g.login.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if p := 1 - g.missed; p > 0.0025 || g.guesses[4] != 20 || g.guesses[6] != 80 {
			t.Errorf("%.4f %% after %v guesses by length", 100*p, g.guesses)
		}
	})
}

func TestGuesses_getNoShortCodesBackByASignInOfTheCustomer(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		g := newDesk(t, d).newGuesser()
		for range 5 {
			g.guessUntil(g.clock.Now().Add(2 * 24 * time.Hour))
			g.clock.Advance(4 * 24 * time.Hour) // the attacker pauses, so that the customer gets a code
			g.desk.newBrowser().signIn(anna)
		}
		if p := 1 - g.missed; p > 0.0025 || g.guesses[4] != 20 || g.guesses[6] < 100 {
			t.Errorf("%.4f %% after %v guesses by length", 100*p, g.guesses)
		}
	})
}

func TestGuesses_oneAtEachOfManyPhonesAreStoppedByTheSitesLimit(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		phones, addresses := 100_000, 10_000
		if testing.Short() {
			phones, addresses = phones/10, addresses/10
		}
		crowd := make([]*browser, 100) // each goes through a hundred addresses
		for i := range crowd {
			crowd[i] = k.newBrowser()
		}
		counted, refused := 0, 0
		for i := range phones {
			if i%(phones/24) == 0 {
				k.clock.Advance(10 * time.Minute)
			}
			b := crowd[i%len(crowd)]
			b.address = fmt.Sprintf("20.%d.%d.9", i%addresses/256, i%256)
			if _, err := b.requestVerification(fmt.Sprintf("79%02d%07d", i%60, i), notify.SMS); err != nil {
				if fault.CodeOf(err) != fault.TooMany {
					t.Fatal(err)
				}
				refused++
				continue
			}
			k.deliver()
			code := k.sms.last().Code
			if i%50 == 7 { // an honest customer, one of many
				if _, err := b.enter(code); err != nil && refusal(t, err) != codeDead {
					t.Fatal(err)
				}
				continue
			}
			if _, err := b.enter(otherCode(code)); refusal(t, err) == wrongCode {
				counted++
			}
		}
		// With four digits each guess takes an account with 1 in 10,000.
		if counted > 200 || refused < phones-phones/50 {
			t.Errorf("%d guesses counted, %d wishes refused", counted, refused)
		}
		if k.log.Len() == 0 {
			t.Error("no alarm was raised")
		}
	})
}

func TestAlarm_holdsForCodesThatWereSentBefore(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		var crowd []*browser
		for i := range 200 {
			b := k.newBrowser()
			if _, err := b.requestVerification(fmt.Sprintf("7916%03d%04d", i, i), notify.SMS); err != nil {
				t.Fatal(err)
			}
			k.deliver()
			crowd = append(crowd, b)
		}
		counted := 0
		for _, b := range crowd {
			if _, err := b.enter("0000"); refusal(t, err) == wrongCode {
				counted++
			}
		}
		if counted > 51 {
			t.Errorf("%d guesses counted", counted)
		}
		b := k.newBrowser()
		b.captcha = login.CaptchaUnsolved
		if _, err := b.requestVerification(anna, notify.SMS); refusal(t, err) != "captcha_user_token login.captcha" {
			t.Errorf("without a captcha: %v", err)
		}
		b.captcha = login.CaptchaUnanswered
		if _, err := b.requestVerification(anna, notify.SMS); refusal(t, err) != "captcha_user_token login.captcha" {
			t.Errorf("with a captcha whose provider cannot be asked: %v", err)
		}
		b.captcha = login.CaptchaSolved
		if _, err := b.enter(b.requestCode(anna)); err != nil {
			t.Errorf("with a captcha: %v", err)
		}
	})
}

func TestAsk_sendsAPumpedRangeOfNumbersSixtyMessagesAtMost(t *testing.T) {
	t.Parallel()
	for name, attack := range map[string]struct {
		every   time.Duration
		captcha login.Captcha
	}{
		"at once": {every: 0}, "slowly": {every: 10 * time.Minute}, "at once with a captcha solved": {captcha: login.CaptchaSolved},
		"slowly with a captcha solved": {every: 7 * time.Minute, captcha: login.CaptchaSolved},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				k := newDesk(t, d)
				start := k.clock.Now()
				for i := range 300 {
					if k.clock.Now().Sub(start) >= 24*time.Hour {
						break
					}
					b := k.newBrowser()
					b.captcha = attack.captcha
					if _, err := b.requestVerification(fmt.Sprintf("7916123%04d", i), notify.SMS); err == nil {
						k.deliver()
					} else if fault.CodeOf(err) != fault.TooMany {
						t.Fatal(err)
					}
					k.clock.Advance(attack.every)
				}
				if got := k.sms.count(); got > 60 || got < 20 {
					t.Errorf("%d messages", got)
				}
				b := k.newBrowser()
				if _, err := b.requestVerification("79165550001", notify.SMS); err != nil {
					t.Errorf("another range suffers: %v", err)
				}
			})
		})
	}
}

func TestDevice_isNotLockedOutByGuessesOfOthers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		home := k.newBrowser()
		home.signIn(anna)
		g := k.newGuesser()
		g.guessUntil(k.clock.Now().Add(10 * 24 * time.Hour))
		if _, err := k.newBrowser().requestVerification(anna, notify.SMS); fault.CodeOf(err) != fault.TooMany {
			t.Fatalf("the guesses have not stopped the phone: %v", err)
		}
		// The whole site is under attack beside, and the range is pumped.
		var crowd []*browser
		for i := range 120 {
			b := k.newBrowser()
			if _, err := b.requestVerification(fmt.Sprintf("7916%03d%04d", i%100, i), notify.SMS); err == nil {
				k.deliver()
				crowd = append(crowd, b)
			}
		}
		for _, b := range crowd {
			_, _ = b.enter("0000")
		}
		if _, err := k.newBrowser().requestVerification(boris, notify.SMS); fault.CodeOf(err) != fault.TooMany {
			t.Fatalf("there is no alarm: %v", err)
		}
		if err := k.sessions.End(t.Context(), "sushi", home.token); err != nil {
			t.Fatal(err)
		}
		again := k.newBrowser()
		again.device = home.device
		if code := again.requestCode(anna); len(code) != 4 {
			t.Errorf("the known device gets a code of %d digits", len(code))
		}
		if _, err := again.enter(k.sms.last().Code); err != nil {
			t.Errorf("the known device cannot sign in: %v", err)
		}
		if again.device != home.device {
			t.Error("the device's secret changed")
		}
	})
}

func TestDevice_isKnownForItsOwnPhoneAndByASecretOfOursOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		mine := k.newBrowser()
		mine.signIn(boris)
		stranger := k.newBrowser()
		stranger.requestCode(anna)
		mine.address = k.newBrowser().address
		if _, err := mine.requestVerification(anna, notify.SMS); fault.CodeOf(err) != fault.TooMany {
			t.Errorf("a device of one phone has a budget for another: %v", err)
		}
		planted := k.newBrowser()
		planted.device = "c2VjcmV0LXRoYXQtYS1ndWVzc2VyLWhhcy1wbGFudGU"
		before := planted.device
		k.clock.Advance(time.Minute)
		planted.signIn(anna)
		if planted.device == before || planted.device == "" {
			t.Error("a secret that we did not give out is kept")
		}
	})
}
