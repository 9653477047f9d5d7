package doctor_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/access"
	bank "servery/internal/acquiring/double"
	yookassa "servery/internal/acquiring/yookassa/double"
	captcha "servery/internal/captcha/double"
	"servery/internal/cart/carttest"
	"servery/internal/clock"
	"servery/internal/config"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/doctor"
	mail "servery/internal/forward/mail/double"
	geocoders "servery/internal/geocoder/double"
	smsru "servery/internal/notify/smsru/double"
	"servery/internal/provider"
)

// serve serves a handler until the end of the test and returns its address.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// writeProviders writes a file of providers, with doubles in place of their servers.
func writeProviders(t *testing.T, apiID, secretKey string) string {
	t.Helper()
	text := "sushi:\n" +
		"  sms: [{provider: smsru, base_url: \"" + serve(t, smsru.New("right")) + "\", api_id: " + apiID + "}]\n" +
		"  captcha: {provider: turnstile, base_url: \"" + serve(t, captcha.NewTurnstile("right")) + "\", site_key: x, secret: right}\n" +
		"  acquirers: [{provider: yookassa, name: kassa, base_url: \"" + serve(t, yookassa.New(bank.NewBank(clock.NewFake(carttest.Noon), "expired"))) +
		"\", shop_id: \"" + yookassa.ShopID + "\", secret_key: " + secretKey + "}]\n"
	file := filepath.Join(t.TempDir(), "providers.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// formatFindings returns findings as they are printed.
func formatFindings(found []doctor.Finding) string {
	var text strings.Builder
	for _, f := range found {
		state := "ok"
		if f.IsProblem {
			state = "problem"
		}
		text.WriteString(state + " " + f.Part + ": " + f.Text + "\n")
	}
	return text.String()
}

// expectLines fails the test unless got contains each wanted text, and has the number of problems.
func expectLines(t *testing.T, got string, problems int, want ...string) {
	t.Helper()
	for _, line := range want {
		if !strings.Contains(got, line) {
			t.Errorf("%q is missing in\n%s", line, got)
		}
	}
	if n := strings.Count(got, "problem "); n != problems {
		t.Errorf("%d are problems, not %d:\n%s", n, problems, got)
	}
}

// answerHealthy answers as a process of the program that is healthy.
func answerHealthy(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/healthz" {
		http.NotFound(w, r)
	}
}

// listenAddress returns the address that the settings have for a process at the URL.
func listenAddress(url string) string { return strings.TrimPrefix(url, "http://") }

// atLocalhost returns the URL with the name of this machine in place of its number.
func atLocalhost(url string) string { return strings.Replace(url, "127.0.0.1", "localhost", 1) }

// The one problem is the public address, which no program answers here.
func TestExamine_findsNothingToSetRightInAShopThatIsSetUp(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			c := dbtest.Config(t, engine)
			d, err := db.Open(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			carttest.New(t, d)
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			found := doctor.Examine(t.Context(), config.Config{
				Addr: listenAddress(serve(t, http.HandlerFunc(answerHealthy))),
				Data: c.Dir, DatabaseURL: c.URL, Providers: writeProviders(t, "right", yookassa.SecretKey),
				PublicURL: atLocalhost(serve(t, http.NotFoundHandler())), OperatorToken: strings.Repeat("x", 24),
			}, clock.System{})
			expectLines(t, formatFindings(found), 1, "ok database: ", "takes writes", "ok content: ", "sushi", "can be read", " answers\n", "the proxy does not reach the program",
				"ok service: a process answers at 127.0.0.1:", "ok hosts: localhost is a host of sushi\n")
		})
	}
}

func TestExamine_saysWhatToSetRight(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "providers.yaml")
	text := "sushi: {sms: [{provider: smsru, base_url: \"" + gone.URL + "\", api_id: x}]}"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := db.Open(t.Context(), db.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	found := doctor.Examine(t.Context(), config.Config{Addr: listenAddress(gone.URL), Data: dir, Providers: file, PublicURL: strings.Replace(gone.URL, "http://", "https://", 1)}, clock.System{})
	expectLines(t, formatFindings(found), 6,
		"problem database: ", "servery migrate makes them", gone.URL+" does not answer", "problem public address: ", "SERVERY_TRUSTED_PROXIES", "SERVERY_OPERATOR_TOKEN is not set",
		"problem service: no process answers at "+listenAddress(gone.URL)+" (SERVERY_ADDR): ", "systemctl start servery")

	held := dbtest.Config(t, db.SQLite)
	if d, err = db.Open(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	if err := d.Hold(t.Context(), carttest.Noon, "a drill"); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	found = doctor.Examine(t.Context(), config.Config{
		Addr: listenAddress(serve(t, http.HandlerFunc(answerHealthy))), Data: held.Dir, OperatorToken: "x", TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
	}, clock.System{})
	expectLines(t, formatFindings(found), 3, "is held: a drill", "there is none: servery import DIR", "SERVERY_PUBLIC_URL is not set")
}

func TestExamine_knowsTheTokensOfTheDatabase(t *testing.T) {
	t.Parallel()
	c := dbtest.Config(t, db.SQLite)
	d, err := db.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	carttest.New(t, d)
	tokens := access.NewTokens(d, clock.System{})
	expectProblem := func(step string, want bool) {
		t.Helper()
		text := formatFindings(doctor.Examine(t.Context(), config.Config{Addr: "127.0.0.1:0", Data: c.Dir}, clock.System{}))
		if got := strings.Contains(text, "no system of the kitchen can call"); got != want {
			t.Errorf("%s: a problem of tokens %v, want %v:\n%s", step, got, want, text)
		}
	}
	expectProblem("without a token", true)
	if _, err := tokens.Add(t.Context(), access.Token{Name: "pos", Rights: access.UsualRights(), ExpiresAt: time.Now().Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	expectProblem("with one", false)
	if err := tokens.Revoke(t.Context(), "pos"); err != nil {
		t.Fatal(err)
	}
	expectProblem("with one that was revoked", true)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestExamine_saysThatNoBrandHasThePublicHost(t *testing.T) {
	t.Parallel()
	c := dbtest.Config(t, db.SQLite)
	d, err := db.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	carttest.New(t, d)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	url := serve(t, http.HandlerFunc(answerHealthy))
	found := doctor.Examine(t.Context(), config.Config{Addr: listenAddress(url), Data: c.Dir, PublicURL: url, OperatorToken: "x"}, clock.System{})
	expectLines(t, formatFindings(found), 1,
		"problem hosts: no brand has the host 127.0.0.1 of SERVERY_PUBLIC_URL: add it to hosts in the brand.yaml", "servery import DIR", "ok public address: ")
}

func TestExamine_saysThatAllAddressesAreTrusted(t *testing.T) {
	t.Parallel()
	url := serve(t, http.HandlerFunc(answerHealthy))
	for _, all := range []string{"0.0.0.0/0", "::/0"} {
		trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix(all)}
		text := formatFindings(doctor.Examine(t.Context(), config.Config{Addr: listenAddress(url), Data: t.TempDir(), PublicURL: url, TrustedProxies: trusted}, clock.System{}))
		if !strings.Contains(text, "problem proxies: SERVERY_TRUSTED_PROXIES names all addresses: ") {
			t.Errorf("%s: %s", all, text)
		}
	}
}

func TestExamine_namesUnknownVariables(t *testing.T) {
	t.Parallel()
	c := dbtest.Config(t, db.SQLite)
	cfg, _, err := config.Load([]string{"-data", c.Dir, "-addr", "127.0.0.1:0"}, []string{"SERVERY_PUBLIC_ULR=https://sushi.example"})
	if err != nil {
		t.Fatal(err)
	}
	if got := formatFindings(doctor.Examine(t.Context(), cfg, clock.System{})); !strings.Contains(got, "problem settings: SERVERY_PUBLIC_ULR is no setting: SERVERY_PUBLIC_URL is probably meant\n") {
		t.Error(got)
	}
}

func TestExamine_saysThatAnotherProgramHasTheAddress(t *testing.T) {
	t.Parallel()
	c := dbtest.Config(t, db.SQLite)
	found := doctor.Examine(t.Context(), config.Config{Addr: listenAddress(serve(t, http.NotFoundHandler())), Data: c.Dir}, clock.System{})
	if got := formatFindings(found); !strings.Contains(got, "(SERVERY_ADDR) answers 404: another program listens there") {
		t.Error(got)
	}
}

func TestExamine_namesTheFolderThatIsMissing(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing")
	got := formatFindings(doctor.Examine(t.Context(), config.Config{Addr: "127.0.0.1:0", Data: missing}, clock.System{}))
	if runtime.GOOS == "linux" && !strings.Contains(got, "disk: "+missing+" (SERVERY_DATA): ") {
		t.Error(got)
	}
}

// The clock of this machine is compared with that of a provider.
func TestExamine_comparesTheClock(t *testing.T) {
	t.Parallel()
	c := dbtest.Config(t, db.SQLite)
	now := clock.NewFake(time.Now().Add(-time.Hour))
	found := doctor.Examine(t.Context(), config.Config{Data: c.Dir, Providers: writeProviders(t, "right", "x")}, now)
	if got := formatFindings(found); !strings.Contains(got, "problem clock: this machine is -") {
		t.Error(got)
	}
}

// A try sends a real code and asks each provider; wrong keys are a problem and are never printed.
func TestTry_saysWhatProvidersAnswer(t *testing.T) {
	t.Parallel()
	site := func(apiID, secretKey string) provider.Site {
		book, err := provider.Read(writeProviders(t, apiID, secretKey), nil, clock.System{})
		if err != nil {
			t.Fatal(err)
		}
		return book.Site("sushi")
	}
	try := func(s provider.Site, kind, phone string) string {
		found, err := doctor.Try(t.Context(), s, kind, phone, carttest.Noon)
		if err != nil {
			t.Fatal(err)
		}
		return formatFindings(found)
	}
	right, wrong := site("right", yookassa.SecretKey), site("hunter2", "hunter2")
	expectLines(t, try(right, doctor.SMS, "+7 916 123-45-67"), 0, "ok smsru: has taken the code 0000")
	expectLines(t, try(right, doctor.Payment, ""), 0, "ok kassa (yookassa): accepts the keys")
	expectLines(t, try(right, doctor.Captcha, ""), 0, "ok turnstile: accepts the keys")
	for kind, text := range map[string]string{doctor.SMS: try(wrong, doctor.SMS, "79161234567"), doctor.Payment: try(wrong, doctor.Payment, "")} {
		expectLines(t, text, 1)
		if strings.Contains(text, "hunter2") {
			t.Errorf("%s prints a secret: %s", kind, text)
		}
	}
	for kind, phone := range map[string]string{doctor.Call: "79161234567", doctor.SMS: "my phone", doctor.Feedback: "", doctor.Changes: "", doctor.Geocoder: "", "pigeon": ""} {
		if found, err := doctor.Try(t.Context(), right, kind, phone, carttest.Noon); err == nil {
			t.Errorf("%s is tried: %v", kind, found)
		}
	}
}

// A try sends a message that says that it is a test to the mailbox and to the webhook, and asks the geocoders.
func TestTry_reachesMailboxWebhookAndGeocoders(t *testing.T) {
	t.Parallel()
	server, err := mail.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	server.User, server.Password = "forms", "hunter2 of the mailbox"
	var posted []string
	status := http.StatusNoContent
	hook := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		posted = append(posted, string(body))
		w.WriteHeader(status)
	}))
	yandexServer := serve(t, geocoders.NewYandex())
	site := func(password, key string) provider.Site {
		text := fmt.Sprintf(`sushi:
  feedback: {provider: smtp, host: 127.0.0.1, port: %d, security: none, user: forms, password: %q, from: a@sushi.example, to: b@sushi.example}
  changes: {provider: webhook, url: %q, secret: sixteen letters and more}
  geocoders:
    - {provider: photon, base_url: %q}
    - {provider: yandex, geocoder_key: %q, suggest_key: %q, geocoder_url: %q, suggest_url: %q}
`, server.Port(), password, hook, serve(t, geocoders.NewPhoton()), geocoders.Key, key, yandexServer, yandexServer)
		file := filepath.Join(t.TempDir(), "providers.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		book, err := provider.Read(file, nil, clock.System{})
		if err != nil {
			t.Fatal(err)
		}
		return book.Site("sushi")
	}
	try := func(s provider.Site, kind string) string {
		found, err := doctor.Try(t.Context(), s, kind, "", carttest.Noon)
		if err != nil {
			t.Fatal(err)
		}
		return formatFindings(found)
	}
	right, wrong := site("hunter2 of the mailbox", geocoders.Key), site("another", "another")
	expectLines(t, try(right, doctor.Feedback), 0, "ok smtp: has taken a test message")
	if mails := server.Mails(); len(mails) != 1 || !strings.Contains(mails[0].Data, "This is a test") {
		t.Errorf("mails: %v", mails)
	}
	expectLines(t, try(wrong, doctor.Feedback), 1, "problem smtp: ")
	expectLines(t, try(right, doctor.Changes), 0, "ok webhook: has taken a test message")
	status = http.StatusForbidden
	expectLines(t, try(right, doctor.Changes), 1, "problem webhook: ", "403")
	if want := []string{`{"test":true}`, `{"test":true}`}; !slices.Equal(posted, want) {
		t.Errorf("posted %q", posted)
	}
	expectLines(t, try(right, doctor.Geocoder), 0, "ok photon: ", "ok yandex: ")
	expectLines(t, try(wrong, doctor.Geocoder), 1, "ok photon: ", "problem yandex: ", "but suggests none")
}
