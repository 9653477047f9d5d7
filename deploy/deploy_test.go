// Package deploy_test checks the files of a deployment: the settings and metrics that they name exist, and the
// tools that read them accept them. A check is skipped where its tool is not installed.
package deploy_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"servery/internal/config"
)

// readFile returns the text of a file.
func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// findTool returns the path of an installed program. It skips the test when the program is not installed.
func findTool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("NOT TRIED: %s is not installed", name)
	}
	return path
}

// mustAccept runs a program that must succeed.
func mustAccept(t *testing.T, program string, args ...string) {
	t.Helper()
	if text, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput(); err != nil {
		t.Errorf("%v: %v\n%s", args, err, text)
	}
}

// writeCertificate writes a certificate for sushi.example and its key into one file, and returns the path.
func writeCertificate(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC), DNSNames: []string{"sushi.example"}}
	certificate, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	var both bytes.Buffer
	for kind, body := range map[string][]byte{"CERTIFICATE": certificate, "PRIVATE KEY": private} {
		if err := pem.Encode(&both, &pem.Block{Type: kind, Bytes: body}); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "shop.pem")
	if err := os.WriteFile(file, both.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestFiles_nameSettingsThatExist(t *testing.T) {
	t.Parallel()
	var help bytes.Buffer
	if err := config.Usage(&help); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"SERVERY_HOST": true} // read by Compose and Caddy, not by the program
	for _, name := range regexp.MustCompile(`\b(?:SERVERY_[A-Z_]+|DATABASE_URL)\b`).FindAllString(help.String(), -1) {
		known[name], known[name+"_FILE"] = true, true
	}
	files, err := filepath.Glob("*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.IsDir() || strings.HasSuffix(file, ".go") {
			continue
		}
		for _, name := range regexp.MustCompile(`\b(?:SERVERY_[A-Z_]+|DATABASE_URL[A-Z_]*)\b`).FindAllString(readFile(t, file), -1) {
			if !known[name] {
				t.Errorf("%s names %s, which is no setting", file, name)
			}
		}
	}
}

// The image, and each process in Compose and Kubernetes, runs as the user 65532 on a root that cannot be
// written to.
func TestContainers_runWithoutPrivilegesOnAReadOnlyRoot(t *testing.T) {
	t.Parallel()
	if image := readFile(t, "Containerfile"); !strings.Contains(image, "FROM scratch\n") || !strings.Contains(image, "\nUSER 65532:65532\n") {
		t.Error("the image is not scratch with the user 65532")
	}
	var compose struct {
		Services map[string]struct {
			Image, User string
			ReadOnly    bool     `yaml:"read_only"`
			CapDrop     []string `yaml:"cap_drop"`
		}
	}
	if err := yaml.UnmarshalWithOptions([]byte(readFile(t, "compose.yaml")), &compose, yaml.AllowDuplicateMapKey()); err != nil {
		t.Fatal(err)
	}
	found := 0
	for name, s := range compose.Services {
		if s.Image != "servery" {
			continue
		}
		found++
		if s.User != "65532:65532" || !s.ReadOnly || len(s.CapDrop) != 1 {
			t.Errorf("compose.yaml: %s is %+v", name, s)
		}
	}
	if found != 3 {
		t.Errorf("compose.yaml has %d services of the program", found)
	}
	kinds := map[string]bool{}
	documents := yaml.NewDecoder(strings.NewReader(readFile(t, "kubernetes.yaml") + "---\n" + readFile(t, "kubernetes-import.yaml")))
	for {
		var document struct {
			Kind string
			Spec struct {
				Template struct {
					Spec struct {
						SecurityContext struct {
							RunAsUser int `yaml:"runAsUser"`
						} `yaml:"securityContext"`
						Containers []struct {
							Name            string
							SecurityContext struct {
								ReadOnlyRootFilesystem bool `yaml:"readOnlyRootFilesystem"`
							} `yaml:"securityContext"`
						}
					}
				}
			}
		}
		err := documents.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		kinds[document.Kind] = true
		pod := document.Spec.Template.Spec
		for _, c := range pod.Containers {
			if pod.SecurityContext.RunAsUser != 65532 || !c.SecurityContext.ReadOnlyRootFilesystem {
				t.Errorf("the container %s of Kubernetes is %+v", c.Name, pod)
			}
		}
	}
	for _, kind := range []string{"Deployment", "Service", "PodDisruptionBudget", "Job"} {
		if !kinds[kind] {
			t.Errorf("the files for Kubernetes have no %s", kind)
		}
	}
}

// The unit in the README is servery.service without its first line.
func TestUnit_isThatOfTheReadme(t *testing.T) {
	t.Parallel()
	_, unit, _ := strings.Cut(readFile(t, "servery.service"), "\n")
	if !strings.Contains(readFile(t, "../README.md"), "```ini\n"+unit+"```\n") {
		t.Error("deploy/servery.service and README.md differ")
	}
}

// kubectl apply refuses an object without a name, so those that are created by kubectl create have a file of their own.
func TestKubernetes_canBeApplied(t *testing.T) {
	t.Parallel()
	if strings.Contains(readFile(t, "kubernetes.yaml"), "generateName") {
		t.Error("kubernetes.yaml has an object without a name")
	}
}

// readGuideSettings returns the lines of a file of settings that docs/production.md writes.
func readGuideSettings(t *testing.T, file string) []string {
	t.Helper()
	_, text, _ := strings.Cut(readFile(t, "../docs/production.md"), "cat >"+file+" <<'END'\n")
	text, _, found := strings.Cut(text, "\nEND\n")
	if !found {
		t.Fatalf("the guide does not write %s", file)
	}
	return strings.Split(text, "\n")
}

// The file of settings has the addresses of one process, and wins over Environment= of a unit.
func TestUnitOfSeveralProcesses_hasAddressesOfEachProcess(t *testing.T) {
	t.Parallel()
	command := regexp.MustCompile(`(?m)^ExecStart=/usr/local/bin/servery serve (.*)$`).FindStringSubmatch(readFile(t, "servery@.service"))
	if command == nil {
		t.Fatal("the unit has no flags")
	}
	for _, file := range []string{"/etc/servery/servery.env", "/etc/servery-pizza/servery.env"} {
		c, _, err := config.Load(strings.Fields(strings.ReplaceAll(command[1], "%i", "2")), readGuideSettings(t, file))
		if err != nil || len(c.Unknown) > 0 || c.Addr != "127.0.0.1:8082" || c.OpsAddr != "127.0.0.1:9092" {
			t.Errorf("with %s process 2 listens on %s and %s: %v, %v", file, c.Addr, c.OpsAddr, c.Unknown, err)
		}
	}
}

// runAdmin returns the environment that servery-admin runs the program with.
// The files are in the folder settings, which stands for /etc/servery.
func runAdmin(t *testing.T, settings string) string {
	t.Helper()
	script := strings.NewReplacer("/etc/servery/", settings+"/", "/usr/local/bin/servery", "/usr/bin/env").Replace(readFile(t, "servery-admin"))
	run := exec.CommandContext(t.Context(), "/bin/sh", "-c", script)
	run.Env = []string{"PATH=/usr/bin:/bin"}
	text, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return string(text)
}

func TestAdmin_hasTheSettingsOfTheService(t *testing.T) {
	t.Parallel()
	settings := t.TempDir()
	if err := os.WriteFile(filepath.Join(settings, "servery.env"), []byte("SERVERY_LOG=json\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, unit := range []string{"servery.service", "servery@.service"} {
		if unit == "servery@.service" {
			if strings.Contains(runAdmin(t, settings), "DATABASE_URL") {
				t.Error("a database is named where there is no file that names it")
			}
			if err := os.WriteFile(filepath.Join(settings, "database-url"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		environment := runAdmin(t, settings)
		for _, m := range regexp.MustCompile(`(?m)^Environment=(\w+)=%d/(\S+)$`).FindAllStringSubmatch(readFile(t, unit), -1) {
			if line := m[1] + "=" + settings + "/" + m[2] + "\n"; !strings.Contains(environment, line) {
				t.Errorf("servery-admin lacks %s of %s", line, unit)
			}
		}
		if !strings.Contains(environment, "SERVERY_LOG=json\n") {
			t.Error("servery-admin does not read servery.env")
		}
	}
}

// The guide makes the unit and the command of a second database by sed: they share no file and no port with the first.
func TestSecondDatabase_sharesNothingWithTheFirst(t *testing.T) {
	t.Parallel()
	commands := regexp.MustCompile(`(?m)^sed ('[^']+') deploy/(servery\S+)`).FindAllStringSubmatch(readFile(t, "../docs/production.md"), -1)
	if len(commands) != 2 {
		t.Fatalf("the guide has the commands %q", commands)
	}
	for _, c := range commands {
		text, err := exec.CommandContext(t.Context(), "/bin/sh", "-c", "sed "+c[1]+" "+c[2]).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if shared := regexp.MustCompile(`/etc/servery/\S*|:(808|909)\S*`).FindAllString(string(text), -1); len(shared) > 0 {
			t.Errorf("the copy of %s still has %q", c[2], shared)
		}
		if !strings.Contains(string(text), "/etc/servery-pizza/servery.env") {
			t.Errorf("the copy of %s does not read its own settings:\n%s", c[2], text)
		}
	}
}

func TestUnits_areExposedLittle(t *testing.T) {
	t.Parallel()
	analyze := findTool(t, "systemd-analyze")
	for source, name := range map[string]string{"servery.service": "servery.service", "servery@.service": "servery@1.service"} {
		file := filepath.Join(t.TempDir(), name)
		text := strings.Replace(readFile(t, source), "/usr/local/bin/servery", "/bin/true", 1)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		mustAccept(t, analyze, "security", "--offline=yes", "--threshold=20", "--no-pager", file)
	}
}

// The backup runs as root, because it reads /etc/servery: it keeps the capabilities for that, and has no network.
func TestBackup_isConfinedAsTheService(t *testing.T) {
	t.Parallel()
	backup := readFile(t, "servery-backup.service")
	for line := range strings.Lines(readFile(t, "servery.service")) {
		name, _, isSetting := strings.Cut(line, "=")
		isConfinement := isSetting && regexp.MustCompile(`^(Lock|Memory|Private|Protect|Restrict(Namespaces|Realtime)|SystemCall|UMask)`).MatchString(name)
		if isConfinement && !strings.Contains(backup, "\n"+line) {
			t.Errorf("servery-backup.service lacks %s", line)
		}
	}
	// DynamicUser implies these for the service.
	for _, line := range []string{"ProtectSystem=strict", "PrivateTmp=yes", "NoNewPrivileges=yes", "RestrictSUIDSGID=yes"} {
		if !strings.Contains(backup, "\n"+line+"\n") {
			t.Errorf("servery-backup.service lacks %s", line)
		}
	}
	file := filepath.Join(t.TempDir(), "servery-backup.service")
	if err := os.WriteFile(file, []byte(backup), 0o600); err != nil {
		t.Fatal(err)
	}
	mustAccept(t, findTool(t, "systemd-analyze"), "security", "--offline=yes", "--threshold=30", "--no-pager", file)
}

func TestBackup_keepsCopiesForFourteenDays(t *testing.T) {
	t.Parallel()
	command := regexp.MustCompile(`(?m)^ExecStart=/bin/sh -c '(.*)'$`).FindStringSubmatch(readFile(t, "servery-backup.service"))
	if command == nil {
		t.Fatal("the unit runs no command of the shell")
	}
	folder, bin := t.TempDir(), t.TempDir()
	admin := "#!/bin/sh\n[ \"$1\" = backup ] && : >\"$2\"\n"
	if err := os.WriteFile(filepath.Join(bin, "servery-admin"), []byte(admin), 0o700); err != nil {
		t.Fatal(err)
	}
	const day = 24 * time.Hour
	for name, age := range map[string]time.Duration{
		"servery-young.db": day, "servery-kept.db": 14*day - time.Hour, "servery-old.db": 14*day + time.Hour, "other.db": 99 * day,
	} {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.CommandContext(t.Context(), "/bin/sh", "-c", strings.ReplaceAll(command[1], "%%", "%"))
	run.Env = []string{"BACKUPS=" + folder, "PATH=" + bin + ":/usr/bin:/bin"}
	if text, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	left, err := filepath.Glob(filepath.Join(folder, "*.db"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range left {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".db"))
	}
	got := strings.Join(names, " ")
	if !regexp.MustCompile(`^other servery-20\d\d-\d\d-\d\d-\d{4} servery-kept servery-young$`).MatchString(got) {
		t.Errorf("left are %s", got)
	}
}

func TestBackup_isTheUnitOfATimer(t *testing.T) {
	t.Parallel()
	mustAccept(t, findTool(t, "systemd-analyze"), "verify", "servery-backup.service", "servery-backup.timer")
}

func TestCaddy_acceptsItsFile(t *testing.T) {
	t.Parallel()
	validate := exec.CommandContext(t.Context(), findTool(t, "caddy"), "validate", "--adapter", "caddyfile", "--config", "Caddyfile")
	validate.Env = append(os.Environ(), "SERVERY_HOST=sushi.example")
	if text, err := validate.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}
