package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/jpeg"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"servery/internal/cart/carttest"
	"servery/web"
)

func TestCheck_reportsEachFaultOfTheProvidersAsConfigDoes(t *testing.T) {
	t.Parallel()
	folder := writeMenu(t, 30)
	providers := filepath.Join(t.TempDir(), "providers.yaml")
	write := func(text string) {
		if err := os.WriteFile(providers, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(args ...string) (string, error) {
		var out, errs bytes.Buffer
		err := runCommand(t.Context(), args, []string{"SERVERY_PROVIDERS=" + providers}, &out, &errs)
		return out.String() + errs.String(), err
	}

	write("sushi:\n  sms: [{provider: smsru, api_id: hunter2, sender: X}]\nburger:\n  vk: {}\n")
	for command, want := range map[string][]string{
		"config": {`:2: there is no field "sender" here`, ":4: client_id is missing"},
		"check":  {`:2: there is no field "sender" here`, `:3: there is no site "burger" in the content`, ":4: client_id is missing"},
	} {
		args := []string{command}
		if command == "check" {
			args = append(args, folder)
		}
		text, err := run(args...)
		if !errors.Is(err, errPrinted) || strings.Contains(text, "hunter2") {
			t.Errorf("%s: %v in %s", command, err, text)
		}
		for _, line := range want {
			if !strings.Contains(text, providers+line) {
				t.Errorf("%s does not say %q:\n%s", command, line, text)
			}
		}
	}

	write("sushi:\n  sms: [{provider: smsru, api_id: hunter2}]\n")
	for _, args := range [][]string{{"config"}, {"check", folder}} {
		if text, err := run(args...); err != nil || strings.Contains(text, "hunter2") {
			t.Errorf("%v: %v in %s", args, err, text)
		}
	}
}

func TestCheck_warnsOfWhatHasNoProvider(t *testing.T) {
	t.Parallel()
	folder, providers := writeMenu(t, 30), filepath.Join(t.TempDir(), "providers.yaml")
	brand := strings.Replace(carttest.Texts["sushi/brand.yaml"], "settings: {", "settings: {is_auth_enabled: true, notification_channels: [call], ", 1)
	if err := errors.Join(os.WriteFile(filepath.Join(folder, "sushi", "brand.yaml"), []byte(brand), 0o600), os.WriteFile(providers, []byte("{}"), 0o600)); err != nil {
		t.Fatal(err)
	}
	const warning = "warning: brand sushi: notification_channels: no provider is configured for call"
	if text, err := (shell{"SERVERY_PROVIDERS=" + providers}).run(t, "check", folder); err != nil || !strings.Contains(text, providers+": "+warning) {
		t.Errorf("%v in %s", err, text)
	}
	if text, err := (shell{}).run(t, "check", folder); err != nil || strings.Contains(text, "warning") {
		t.Errorf("without the file: %v in %s", err, text)
	}
}

func TestCheck_namesAccountsThatLackWhatContentAsks(t *testing.T) {
	t.Parallel()
	providers := filepath.Join(t.TempDir(), "providers.yaml")
	const accounts = "sushi:\n  acquirers:\n" +
		"    - {provider: yookassa, name: kassa, shop_id: \"1\", secret_key: hunter2}\n" +
		"    - {provider: sber_new, name: bank, user_name: u, password: hunter2}\n" +
		"    - {provider: stripe, name: striped, secret_key: hunter2, webhook_secret: hunter2}\n"
	if err := os.WriteFile(providers, []byte(accounts), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		account, more, want string
		fault               bool
	}{
		"card form":        {"kassa", "card_form: true", "card_form is true, and yookassa has no card form: cards are entered on its own page", true},
		"no card form":     {"kassa", "card_form: false", "", false},
		"closing receipts": {"kassa", "fiscal: {vat: 10}", "", false},
		"none are closed":  {"bank", "fiscal: {vat: 10}", "warning: receipts say full_prepayment, and sber_new registers no closing receipts: make them yourselves at hand-over, or choose fiscal: {mode: full_payment}", false},
		"none needed":      {"bank", "fiscal: {vat: 10, mode: full_payment}", "", false},
		"no receipts":      {"striped", "fiscal: {vat: 10}", "warning: fiscal is set, and stripe registers no receipts", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := writeMenu(t, 30)
			file := filepath.Join(folder, "sushi", "brand.yaml")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			online := "payment_types: {delivery: [card_online, cash], takeaway: [cash]}\nacquiring: {card_online: " + c.account + "}\n" + c.more
			if !strings.Contains(string(text), "payment_types:") {
				t.Fatalf("no payment types in %s", text)
			}
			lines := strings.Split(string(text), "\n")
			for i, line := range lines {
				if strings.HasPrefix(line, "payment_types:") {
					lines[i] = online
				}
			}
			if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			err = runCommand(t.Context(), []string{"check", folder}, []string{"SERVERY_PROVIDERS=" + providers}, &out, &out)
			printed := out.String()
			prefix := providers + ": sushi: account " + c.account + " (moscow"
			if errors.Is(err, errPrinted) != c.fault || err != nil && !c.fault || strings.Contains(printed, "hunter2") {
				t.Errorf("%v in %s", err, printed)
			}
			if (c.want != "") != strings.Contains(printed, prefix) || !strings.Contains(printed, c.want) {
				t.Errorf("want %q in %s", c.want, printed)
			}
		})
	}
}

func TestCheck_printsWarningsAndWhatIsNotTranslated(t *testing.T) {
	t.Parallel()
	folder := writeMenu(t, 30)
	if err := os.WriteFile(filepath.Join(folder, "sushi", "promotions.yaml"),
		[]byte("- {alias: a, name: {ru: А, en: A}, description: \"<h2>А</h2>\", picture: a}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, error) {
		var out bytes.Buffer
		err := runCommand(t.Context(), args, nil, &out, &out)
		return out.String(), err
	}
	const picture, warning = "sushi/promotions.yaml:1: picture a is missing", "sushi/promotions.yaml:1: warning: taken out of the description: <h2>\n"
	if text, err := run("check", folder); !errors.Is(err, errPrinted) || !strings.Contains(text, warning) || !strings.Contains(text, picture) {
		t.Errorf("%v in %s", err, text)
	}
	if _, err := run("check", "-sites", "burger", folder); err == nil || !strings.HasPrefix(err.Error(), `SERVERY_SITES: there is no brand "burger" in the content`) {
		t.Errorf("for another brand: %v", err)
	}
	body := new(bytes.Buffer)
	if err := jpeg.Encode(body, image.NewGray(image.Rect(0, 0, 1440, 720)), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(folder, "sushi", "pictures"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "sushi", "pictures", "a.jpg"), body.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	summary := folder + ": " + contentCounts + ", no faults\n"
	if text, err := run("check", folder); err != nil || text != warning+summary {
		t.Errorf("%v in %s", err, text)
	}
	if text, err := run("check", "-missing", folder); err != nil || !strings.Contains(text, "sushi/menu/02-sauces.yaml:3: warning: name is missing in en\n") || !strings.HasSuffix(text, summary) {
		t.Errorf("%v in %s", err, text)
	}
}

func TestServe_warnsOfUnknownVariables(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	environ := []string{"SERVERY_ADDR=127.0.0.1:0", "SERVERY_DATA=" + file, "SERVERY_PUBLIC_ULR=https://sushi.example"} // no start on this folder
	err := runCommand(t.Context(), []string{"serve"}, environ, &out, &errs)
	if log := errs.String(); err == nil || !strings.Contains(log, "level=WARN") || !strings.Contains(log, "SERVERY_PUBLIC_ULR is no setting: SERVERY_PUBLIC_URL is probably meant") || strings.Contains(log, "sushi.example") {
		t.Errorf("%v: %s", err, log)
	}
}

func TestServe_saysWhatHasStartedAndTheAddressesOfTheBrands(t *testing.T) {
	t.Parallel()
	needPage(t)
	for format, want := range map[string]struct{ started, address *regexp.Regexp }{
		"text": {
			started: regexp.MustCompile(` msg=started version=\S+ database=sqlite revision=1 address=127\.0\.0\.1:\d+$`),
			address: regexp.MustCompile(`^sushi +http://localhost:\d+$`),
		},
		"json": {
			started: regexp.MustCompile(`^{.*"msg":"started","version":".+","database":"sqlite","revision":1,"address":"127\.0\.0\.1:\d+"}$`),
			address: regexp.MustCompile(`^{.*"msg":"serving","site":"sushi","address":"http://localhost:\d+"}$`),
		},
	} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			reader, writer := io.Pipe()
			served := make(chan error, 1)
			go func() {
				environ := []string{"SERVERY_ADDR=127.0.0.1:0", "SERVERY_DATA=" + t.TempDir(), "SERVERY_CONTENT=" + writeMenu(t, 30), "SERVERY_LOG=" + format}
				err := runCommand(ctx, []string{"serve"}, environ, writer, writer)
				served <- errors.Join(err, writer.Close())
			}()
			isStarted, isShown := false, false
			for lines := bufio.NewScanner(reader); lines.Scan(); {
				line := lines.Text()
				isStarted = isStarted || want.started.MatchString(line)
				if want.address.MatchString(line) {
					isShown = true
					stop()
				}
				if format == "json" && !json.Valid(lines.Bytes()) {
					t.Errorf("a line is no JSON: %s", line)
				}
			}
			if err := <-served; err != nil || !isStarted || !isShown {
				t.Errorf("%v; started: %v, shown: %v", err, isStarted, isShown)
			}
		})
	}
}

func TestServe_endsForGoodWithAShortOperatorToken(t *testing.T) {
	t.Parallel()
	needPage(t)
	var errs bytes.Buffer
	environ := []string{"SERVERY_ADDR=127.0.0.1:0", "SERVERY_DATA=" + t.TempDir(), "SERVERY_CONTENT=" + writeMenu(t, 30), "SERVERY_OPERATOR_TOKEN=123456789012"}
	if err := runCommand(t.Context(), []string{"serve"}, environ, io.Discard, &errs); err == nil || exitCodeOf(err) != exitConfig || !strings.Contains(err.Error(), "at least 24 characters") {
		t.Errorf("%v: %s", err, errs.String())
	}
}

func TestLicences_arePrinted(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := runCommand(t.Context(), []string{"licences"}, nil, &out, &out); err != nil || !strings.Contains(out.String(), "Copyright 2009 The Go Authors") {
		t.Errorf("%v: %.80s", err, out.String())
	}
}

func TestRelease(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := filepath.Join(t.TempDir(), "servery")
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-tags", "release", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	// execute runs a command of the release on a data folder, with more variables.
	execute := func(t *testing.T, data string, args []string, environ ...string) (string, error) {
		t.Helper()
		command := exec.CommandContext(t.Context(), program, args...)
		command.Env = append(environ, "SERVERY_ADDR=127.0.0.1:0", "SERVERY_DATA="+data)
		text, err := command.CombinedOutput()
		return string(text), err
	}

	t.Run("refuses what belongs to a development build", func(t *testing.T) {
		t.Parallel()
		for variable, want := range map[string]string{
			"SERVERY_MAILBOX=on":   "SERVERY_MAILBOX: a release has no mailbox",
			"SERVERY_SIMULATE=on":  "SERVERY_SIMULATE: a release has no simulated kitchen",
			"SERVERY_IMPORT=start": "SERVERY_IMPORT: start needs a content folder",
		} {
			text, err := execute(t, t.TempDir(), []string{"serve"}, variable)
			if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != exitConfig || !strings.Contains(text, want) {
				t.Errorf("with %s: %v\n%s", variable, err, text)
			}
		}
		text, err := execute(t, t.TempDir(), []string{"config"})
		if err != nil || !strings.Contains(text, "SERVERY_MAILBOX=off\n") || !strings.Contains(text, "SERVERY_SIMULATE=off\n") {
			t.Errorf("its settings: %v\n%s", err, text)
		}
	})

	t.Run("carries neither mailbox nor demo nor simulated kitchen", func(t *testing.T) {
		t.Parallel()
		body, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		for _, trace := range []string{"/dev/mailbox", "servery/internal/notify/mailbox", "servery/internal/simulate", "shawarma/brand.yaml"} {
			if bytes.Contains(body, []byte(trace)) {
				t.Errorf("it has %q in it", trace)
			}
		}
	})

	t.Run("does not start on a database without content", func(t *testing.T) {
		t.Parallel()
		needPage(t)
		data := t.TempDir()
		text, err := execute(t, data, []string{"serve"})
		if exit := new(exec.ExitError); !errors.As(err, &exit) || !strings.Contains(text, "servery import DIR") ||
			!strings.Contains(text, data) || strings.Count(text, "\n") != 1 {
			t.Errorf("%v\n%s", err, text)
		}
	})

	t.Run("does not start while no provider is configured for what the content names", func(t *testing.T) {
		t.Parallel()
		needPage(t)
		folder, data := writeMenu(t, 30), t.TempDir()
		brand := carttest.Texts["sushi/brand.yaml"]
		brand = strings.Replace(brand, "settings: {", "settings: {is_auth_enabled: true, notification_channels: [sms], ", 1)
		brand = strings.Replace(brand, "{delivery: [cash, card]", "{delivery: [sbp, cash]", 1) + "acquiring: {sbp: bank}\n"
		providers := filepath.Join(t.TempDir(), "providers.yaml")
		write := func(file, text string) {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(filepath.Join(folder, "sushi", "brand.yaml"), brand)
		write(providers, "{}")
		lines := []string{
			"brand sushi: notification_channels: no provider is configured for sms: write sms into the entry sushi of the file of providers (SERVERY_PROVIDERS)",
			"brand sushi: acquiring: there is no account bank for sbp in moscow: write it into the acquirers",
		}
		refuses := func(args []string, environ ...string) {
			t.Helper()
			text, err := execute(t, data, args, environ...)
			if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != exitConfig {
				t.Errorf("%v: %v\n%s", args, err, text)
			}
			for _, line := range lines {
				if !strings.Contains(text, line) {
					t.Errorf("%v does not say %q:\n%s", args, line, text)
				}
			}
		}
		refuses([]string{"check", folder}, "SERVERY_PROVIDERS="+providers)
		refuses([]string{"import", "-create", folder}, "SERVERY_PROVIDERS="+providers)
		text, err := execute(t, data, []string{"import", "-create", folder})
		if err != nil || !strings.Contains(text, "SERVERY_PROVIDERS is not set here: not checked") {
			t.Errorf("an import without the file: %v\n%s", err, text)
		}
		refuses([]string{"serve"})
		refuses([]string{"serve"}, "SERVERY_PROVIDERS="+providers)
		write(providers, "sushi: {sms: [{provider: smsru, api_id: x}], acquirers: [{provider: yookassa, name: bank, shop_id: x, secret_key: y}]}")
		if text, err := execute(t, data, []string{"check", folder}, "SERVERY_PROVIDERS="+providers); err != nil {
			t.Errorf("with what it needs: %v\n%s", err, text)
		}
	})

	t.Run("serves the revision of its database", func(t *testing.T) {
		t.Parallel()
		needPage(t)
		data := t.TempDir()
		if text, err := execute(t, data, []string{"import", "-create", writeMenu(t, 30)}); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		serving := exec.CommandContext(t.Context(), program, "serve")
		serving.Env = []string{"SERVERY_ADDR=127.0.0.1:0", "SERVERY_DATA=" + data}
		serving.Stderr = t.Output()
		out, err := serving.StdoutPipe()
		if err := errors.Join(err, serving.Start()); err != nil {
			t.Fatal(err)
		}
		if line, err := findLine(out, regexp.MustCompile(`^sushi +http://`)); err != nil {
			t.Errorf("it shows no address of a brand: %v after %q", err, line)
		}
		if err := errors.Join(serving.Process.Signal(syscall.SIGTERM), serving.Wait()); err != nil {
			t.Error(err)
		}
		s := shell{"SERVERY_DATA=" + data}
		if text, err := s.run(t, "revisions"); err != nil || strings.Count(text, "\n") != 3 {
			t.Errorf("%v\n%s", err, text)
		}
	})
}

// findLine reads lines until one matches, and returns it. Without one it returns the last line and an error.
func findLine(from io.Reader, want *regexp.Regexp) (string, error) {
	lines := bufio.NewReader(from)
	last := ""
	for {
		line, err := lines.ReadString('\n')
		if want.MatchString(line) {
			return line, nil
		}
		if err != nil {
			return last, err
		}
		last = line
	}
}

// needPage skips a test when the page is not built, because serve does not start without it.
func needPage(t *testing.T) {
	t.Helper()
	if _, err := web.ReadManifest(); errors.Is(err, web.ErrNotBuilt) {
		t.Skip("without the page nothing starts")
	}
}

// A proxy stands before the program where a public URL is set.
func TestAddressOf_isWhereABrowserOpensABrand(t *testing.T) {
	t.Parallel()
	for publicURL, want := range map[string]string{
		"": "http://pizza.example:8080", "https://sushi.example": "https://pizza.example", "http://sushi.example:9000": "http://pizza.example:9000",
	} {
		if got := addressOf("pizza.example", "8080", publicURL); got != want {
			t.Errorf("with %q it is %s", publicURL, got)
		}
	}
}
