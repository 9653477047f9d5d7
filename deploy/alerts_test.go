package deploy_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const (
	alertsFile    = "prometheus/alerts.yml"
	dashboardFile = "grafana/servery.json"
)

// alert is one rule of the file of alerts.
type alert struct {
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

// readAlerts returns the rules of the file of alerts.
func readAlerts(t *testing.T) []alert {
	t.Helper()
	var file struct {
		Groups []struct {
			Rules []alert `yaml:"rules"`
		} `yaml:"groups"`
	}
	if err := yaml.Unmarshal([]byte(readFile(t, alertsFile)), &file); err != nil {
		t.Fatal(err)
	}
	var alerts []alert
	for _, group := range file.Groups {
		alerts = append(alerts, group.Rules...)
	}
	if len(alerts) == 0 {
		t.Fatal("the file has no alerts")
	}
	return alerts
}

func TestAlerts_haveAPageOfTheRunBook(t *testing.T) {
	t.Parallel()
	var sections []string
	for _, m := range regexp.MustCompile(`(?m)^## (\w+)$`).FindAllStringSubmatch(readFile(t, "../docs/alerts.md"), -1) {
		sections = append(sections, m[1])
	}
	var alerts []string
	for _, a := range readAlerts(t) {
		alerts = append(alerts, a.Alert)
		if want := "docs/alerts.md#" + strings.ToLower(a.Alert); a.Annotations["runbook"] != want {
			t.Errorf("the run-book of %s is %q, want %q", a.Alert, a.Annotations["runbook"], want)
		}
		if a.Annotations["summary"] == "" || !slices.Contains([]string{"page", "ticket"}, a.Labels["severity"]) {
			t.Errorf("%s lacks a summary or a severity", a.Alert)
		}
	}
	if !slices.Equal(alerts, sections) {
		t.Errorf("the alerts are %q,\nthe pages of the run-book %q", alerts, sections)
	}
}

func TestAlerts_fireForTheirCauseAndNoOther(t *testing.T) {
	t.Parallel()
	tool := findTool(t, "promtool")
	mustAccept(t, tool, "check", "config", "prometheus/prometheus.yml")
	mustAccept(t, tool, "test", "rules", "prometheus/alerts_test.yml")
}

func TestAlerts_areEachMadeToFire(t *testing.T) {
	t.Parallel()
	tests := readFile(t, "prometheus/alerts_test.yml")
	for _, a := range readAlerts(t) {
		if !strings.Contains(tests, `alertname="`+a.Alert+`"`) {
			t.Errorf("no series of alerts_test.yml make %s fire", a.Alert)
		}
	}
}

// metricName finds the names of metrics in source, rules and documents.
var metricName = regexp.MustCompile(`\bservery_[a-z_]*[a-z]\b`)

func TestMetrics_areThoseOfTheDocumentsAlertsAndDashboard(t *testing.T) {
	t.Parallel()
	defined := map[string]bool{}
	err := filepath.WalkDir("../internal", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range regexp.MustCompile(`(?:Name: |NewDesc\(|state\()"(servery_\w+)"`).FindAllStringSubmatch(string(source), -1) {
			defined[m[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	documents := readFile(t, "../docs/operations.md")
	for name := range defined {
		if !strings.Contains(documents, name) {
			t.Errorf("docs/operations.md does not say what %s is", name)
		}
	}
	for _, file := range []string{alertsFile, dashboardFile, "prometheus/alerts_test.yml", "../docs/alerts.md", "../docs/operations.md"} {
		for _, name := range metricName.FindAllString(readFile(t, file), -1) {
			series := strings.TrimSuffix(strings.TrimSuffix(name, "_bucket"), "_count")
			if !defined[series] {
				t.Errorf("%s names %s, which the program does not have", file, name)
			}
		}
	}
}
