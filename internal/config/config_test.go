package config_test

import (
	"errors"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/config"
	"servery/internal/limit"
)

// loadConfig returns the settings of the flags and the environment.
func loadConfig(t *testing.T, args []string, environ ...string) config.Config {
	t.Helper()
	c, _, err := config.Load(args, environ)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLoad_servesTheDemoWhenNothingIsSet(t *testing.T) {
	t.Parallel()
	c := loadConfig(t, nil)
	if c.Addr != ":8080" || c.Data != "./data" || c.DatabaseURL != "" || !c.Simulate ||
		c.SimulatePace != 20*time.Second || c.PaymentDeadline != 10*time.Minute || c.Drain != 15*time.Second || c.LogLevel != slog.LevelInfo {
		t.Errorf("defaults: %+v", c)
	}
}

func TestLoad_takesAPairOfDatabaseServers(t *testing.T) {
	t.Parallel()
	const pair = "postgres://servery:secret@10.0.0.1:5432,10.0.0.2:5433/servery?target_session_attrs=read-write"
	if got := loadConfig(t, nil, "DATABASE_URL="+pair).DatabaseURL; got != pair {
		t.Errorf("got %q", got)
	}
}

func TestLoad_prefersAFlagToItsVariable(t *testing.T) {
	t.Parallel()
	c, rest, err := config.Load([]string{"-addr", ":9000", "folder"}, []string{"SERVERY_ADDR=:1", "SERVERY_DATA=", "HOME=/"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Addr != ":9000" || c.Data != "./data" {
		t.Errorf("addr %s, data %s", c.Addr, c.Data)
	}
	if !slices.Equal(rest, []string{"folder"}) {
		t.Errorf("rest = %v", rest)
	}
}

func TestLoad_refusesThePublicAddressForOperations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		addr, ops string
		isRefused bool
	}{
		{":8080", ":8080", true},
		{":8080", "127.0.0.1:8080", true},
		{"10.0.0.1:8080", "0.0.0.0:8080", true},
		{"10.0.0.1:8080", "[::]:8080", true},
		{"127.0.0.1:8080", "127.0.0.1:08080", true},
		{"10.0.0.1:8080", "127.0.0.1:8080", false},
		{":8080", ":9090", false},
		{"127.0.0.1:0", "127.0.0.1:0", false}, // the system chooses two ports
		{":8080", "", false},
	} {
		_, _, err := config.Load(nil, []string{"SERVERY_ADDR=" + c.addr, "SERVERY_OPS_ADDR=" + c.ops})
		if isRefused := err != nil && strings.HasPrefix(err.Error(), "SERVERY_OPS_ADDR: "); isRefused != c.isRefused || err != nil != c.isRefused {
			t.Errorf("%q beside %q: %v", c.ops, c.addr, err)
		}
	}
}

func TestLoad_simulatesWithTheDemoOnly(t *testing.T) {
	t.Parallel()
	if loadConfig(t, nil, "SERVERY_CONTENT=/menu").Simulate {
		t.Error("it runs on a brand's own content")
	}
	if !loadConfig(t, nil, "SERVERY_CONTENT=/menu", "SERVERY_SIMULATE=on").Simulate {
		t.Error("it does not run when asked for")
	}
	if loadConfig(t, nil, "SERVERY_SIMULATE=off").Simulate {
		t.Error("it runs when switched off")
	}
}

func TestLoad_reportsEachFaultInALineThatNamesTheSetting(t *testing.T) {
	t.Parallel()
	_, _, err := config.Load([]string{"-drain", "soon"}, []string{
		"SERVERY_ADDR=8080", "DATABASE_URL=mysql://u:hunter2@h/d", "SERVERY_SIMULATE=maybe", "SERVERY_LOG_LEVEL=loud",
		"SERVERY_TRUSTED_PROXIES=10.0.0.0/8,home", "SERVERY_PUBLIC_URL=example.com", "SERVERY_OPERATOR_TOKEN=short", "SERVERY_SIMULATE_PACE=-1s",
		"SERVERY_ERROR_REPORTS=https://hunter2@errors.example.com",
	})
	if err == nil {
		t.Fatal("all is accepted")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 10 {
		t.Errorf("%d lines, want 10:\n%v", len(lines), err)
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "SERVERY_") && !strings.HasPrefix(line, "DATABASE_URL: ") && !strings.HasPrefix(line, "-drain: ") {
			t.Errorf("no setting is named: %s", line)
		}
		if strings.Contains(line, "hunter2") || strings.Contains(line, "short") {
			t.Errorf("a secret is shown: %s", line)
		}
	}
	if _, _, err := config.Load([]string{"-nonsense"}, nil); err == nil {
		t.Error("an unknown flag is accepted")
	}
	if _, _, err := config.Load([]string{"-h"}, nil); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h = %v", err)
	}
}

func TestLoad_asksForTheNameOfAHostAsBrowsersSendIt(t *testing.T) {
	t.Parallel()
	_, _, err := config.Load(nil, []string{"SERVERY_PUBLIC_URL=https://пицца.рф:8443"})
	if want := "SERVERY_PUBLIC_URL: must have its host as browsers send it: xn--80apu3aa.xn--p1ai"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if c := loadConfig(t, nil, "SERVERY_PUBLIC_URL=https://xn--80apu3aa.xn--p1ai:8443"); c.PublicURL != "https://xn--80apu3aa.xn--p1ai:8443" {
		t.Errorf("it became %s", c.PublicURL)
	}
}

func TestSecret_isHiddenWhenPrinted(t *testing.T) {
	t.Parallel()
	shown := loadConfig(t, nil, "DATABASE_URL=postgres://u:hunter2@h/d", "SERVERY_OPERATOR_TOKEN=swordfish", "SERVERY_TRUSTED_PROXIES=10.0.0.0/8, ::1").Redacted()
	if strings.Contains(shown, "hunter2") || strings.Contains(shown, "swordfish") {
		t.Errorf("a secret is shown:\n%s", shown)
	}
	for _, want := range []string{"DATABASE_URL=(hidden)\n", "SERVERY_TRUSTED_PROXIES=10.0.0.0/8,::1/128\n", "SERVERY_SIMULATE=on\n", "SERVERY_PUBLIC_URL=\n"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing in\n%s", want, shown)
		}
	}
}

func TestUsage_namesEverySetting(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := config.Usage(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"-addr", "SERVERY_SIMULATE_PACE", "(20s)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s is missing", want)
		}
	}
}

func TestLoad_importsIntoAnEmptyDatabaseUnlessSetOtherwise(t *testing.T) {
	t.Parallel()
	if got := loadConfig(t, nil).Import; got != config.ImportEmpty {
		t.Errorf("by itself: %s", got)
	}
	if got := loadConfig(t, nil, "SERVERY_IMPORT=start").Import; got != config.ImportStart {
		t.Errorf("with start: %s", got)
	}
	if _, _, err := config.Load(nil, []string{"SERVERY_IMPORT=always"}); err == nil {
		t.Error("always is taken")
	}
}

func TestLoad_readsASecretFromTheFileThatItsVariableNames(t *testing.T) {
	t.Parallel()
	write := func(text string) string {
		file := filepath.Join(t.TempDir(), "secret")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const token = "swordfish of the kitchen"
	file := write(token + "\n")
	if got := loadConfig(t, nil, "SERVERY_OPERATOR_TOKEN_FILE="+file).OperatorToken; got != token {
		t.Errorf("got %q", got)
	}
	if got := loadConfig(t, []string{"-operator-token", "by a flag"}, "SERVERY_OPERATOR_TOKEN_FILE="+file).OperatorToken; got != "by a flag" {
		t.Errorf("a flag does not win: %q", got)
	}
	for name, environ := range map[string][]string{
		"missing":     {"SERVERY_SECRET_FILE=" + file + ".none"},
		"empty":       {"SERVERY_SECRET_FILE=" + write("\n")},
		"set as well": {"SERVERY_OPERATOR_TOKEN_FILE=" + file, "SERVERY_OPERATOR_TOKEN=" + token},
		"too short":   {"SERVERY_SECRET_FILE=" + file},
	} {
		_, _, err := config.Load(nil, environ)
		if err == nil || !strings.HasPrefix(err.Error(), strings.SplitN(environ[0], "=", 2)[0]+": ") || strings.Contains(err.Error(), token) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if c := loadConfig(t, nil, "SERVERY_CONTENT_FILE="+file); c.Content != "" {
		t.Errorf("what is no secret is read from a file: %q", c.Content)
	}
}

func TestLimits_areNotOffInARelease(t *testing.T) {
	t.Parallel()
	off, err := limit.Parse("off")
	if err != nil {
		t.Fatal(err)
	}
	if err := config.CheckLimits(off, true); err == nil {
		t.Error("a release takes no limits at all")
	}
	for _, allowed := range []error{config.CheckLimits(off, false), config.CheckLimits(limit.Default(), true)} {
		if allowed != nil {
			t.Error(allowed)
		}
	}
}

func TestLoad_listsUnknownVariablesWithTheSettingThatIsProbablyMeant(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]config.UnknownVariable{
		"SERVERY_PUBLIC_ULR=https://sushi.example": {{Name: "SERVERY_PUBLIC_ULR", Nearest: "SERVERY_PUBLIC_URL"}},
		"SERVERY_SECRETFILE=/etc/secret":           {{Name: "SERVERY_SECRETFILE", Nearest: "SERVERY_SECRET_FILE"}},
		"SERVERY_public_url=https://sushi.example": {{Name: "SERVERY_public_url", Nearest: "SERVERY_PUBLIC_URL"}},
		"SERVERY_LGO=json":                         {{Name: "SERVERY_LGO", Nearest: "SERVERY_LOG"}},
		"SERVERY_TELEMETRY=off":                    {{Name: "SERVERY_TELEMETRY"}},
		"SERVERY_CONTENT_FILE=/menu":               {{Name: "SERVERY_CONTENT_FILE"}}, // no secret, so not in a file
		"SERVERY_PUBLIC_ULR=":                      nil,                              // not set
		"SERVERY_PUBLIC_URL=https://sushi.example": nil,
		"HOME=/root":                               nil,
		// What Kubernetes sets for services named servery and servery-db.
		"SERVERY_SERVICE_HOST=10.0.0.1":             nil,
		"SERVERY_SERVICE_PORT_HTTP=80":              nil,
		"SERVERY_PORT=tcp://10.0.0.1:80":            nil,
		"SERVERY_PORT_80_TCP_ADDR=10.0.0.1":         nil,
		"SERVERY_DB_PORT_5432_TCP=tcp://10.0.0.2:1": nil,
		"SERVERY_PORT=8080":                         {{Name: "SERVERY_PORT"}},
	} {
		if got := loadConfig(t, nil, line).Unknown; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

func TestLoad_knowsTheVariableOfEverySetting(t *testing.T) {
	t.Parallel()
	var environ []string
	for line := range strings.Lines(loadConfig(t, nil, "DATABASE_URL=postgres://h/d").Redacted()) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if value != "" && value != "(hidden)" {
			environ = append(environ, name+"="+value)
		}
	}
	if len(environ) < 10 {
		t.Fatalf("few settings have a value: %v", environ)
	}
	if unknown := loadConfig(t, nil, environ...).Unknown; len(unknown) > 0 {
		t.Errorf("unknown: %v", unknown)
	}
}

func TestLoad_takesARangeOfOrderNumbersForEachDatabase(t *testing.T) {
	t.Parallel()
	if got := loadConfig(t, nil).OrderNumbers; got != (config.NumberRange{Lowest: 10_000_000, Highest: 99_999_999}) {
		t.Errorf("without a setting: %v", got)
	}
	if got := loadConfig(t, nil, "SERVERY_ORDER_NUMBERS=100000000-199999999").OrderNumbers; got != (config.NumberRange{Lowest: 100_000_000, Highest: 199_999_999}) {
		t.Errorf("got %v", got)
	}
	for _, value := range []string{"5", "0-99999999", "10000000-19999998", "20000000-10000000", "1-1000000000000", "a-b", "-99999999"} {
		if _, _, err := config.Load(nil, []string{"SERVERY_ORDER_NUMBERS=" + value}); err == nil || !strings.Contains(err.Error(), "ten million numbers") {
			t.Errorf("%s: %v", value, err)
		}
	}
}

func TestLoad_takesEachBrandToImportOnce(t *testing.T) {
	t.Parallel()
	if got := loadConfig(t, nil, "SERVERY_SITES=sushi, pizza").Sites; !slices.Equal(got, []string{"sushi", "pizza"}) {
		t.Errorf("got %q", got)
	}
	for _, value := range []string{"sushi,sushi", "sushi,", ","} {
		if _, _, err := config.Load(nil, []string{"SERVERY_SITES=" + value}); err == nil {
			t.Errorf("%s is accepted", value)
		}
	}
}
