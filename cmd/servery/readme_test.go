package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"servery/internal/config"
)

// readReadme returns the text of README.md.
func readReadme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestReadme_namesEverySettingAsHelpDoes(t *testing.T) {
	t.Parallel()
	var help bytes.Buffer
	if err := config.Usage(&help); err != nil {
		t.Fatal(err)
	}
	text := readReadme(t)
	known := map[string]bool{"SERVERY_SECRET_FILE": true, "SERVERY_OPERATOR_TOKEN_FILE": true}
	defaultValue := regexp.MustCompile(` \(([^() ]+)\)$`)
	for line := range strings.Lines(help.String()) {
		parts := regexp.MustCompile(`^  (-\S+) +(\S+) +(.*)\n$`).FindStringSubmatch(line)
		flag, variable, meaning := parts[1], parts[2], parts[3]
		known[variable] = true
		value := ""
		if found := defaultValue.FindStringSubmatch(meaning); found != nil {
			value, meaning = "`"+strings.Replace(found[1], "m0s", "m", 1)+"`", strings.TrimSuffix(meaning, found[0])
		}
		if row := "| `" + variable + "` | `" + flag + "` | " + meaning + " | " + value + " |"; !strings.Contains(text, row+"\n") {
			t.Errorf("README has no row\n%s", row)
		}
	}
	for _, variable := range regexp.MustCompile(`\bSERVERY_[A-Z_]+`).FindAllString(text, -1) {
		if !known[variable] {
			t.Errorf("README names %s, which is no setting", variable)
		}
	}
}

func TestReadme_hasAUnitThatCanBeEnabled(t *testing.T) {
	t.Parallel()
	_, unit, _ := strings.Cut(readReadme(t), "```ini\n")
	unit, _, found := strings.Cut(unit, "```\n")
	if !found || !strings.Contains(unit, "\n[Install]\nWantedBy=multi-user.target\n") {
		t.Fatalf("the unit is\n%s", unit)
	}
	for _, credential := range regexp.MustCompile(`%d/(\S+)`).FindAllStringSubmatch(unit, -1) {
		if !strings.Contains(unit, "\nLoadCredential="+credential[1]+":/etc/servery/"+credential[1]+"\n") {
			t.Errorf("nothing loads %s", credential[1])
		}
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		return // its syntax is checked where there is systemd
	}
	file := filepath.Join(t.TempDir(), "servery.service")
	if err := os.WriteFile(file, []byte(strings.Replace(unit, "/usr/local/bin/servery", "/bin/true", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", file).CombinedOutput(); err != nil || strings.Contains(string(text), "servery.service") {
		t.Errorf("%v\n%s", err, text)
	}
}
