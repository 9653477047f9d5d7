package server_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"servery/api"
)

const (
	root         = "../.."
	coveragePage = root + "/docs/coverage.md"
)

var (
	quoted     = regexp.MustCompile("`([^`]+)`")
	goTest     = regexp.MustCompile(`^((?:cmd|deploy|internal|races|scripts)/\S+_test\.go): (Test\w+)$`)
	anyPath    = regexp.MustCompile(`^(?:api|cmd|content|deploy|docs|e2e|internal|scripts|web)/\S+$`)
	coverRow   = regexp.MustCompile("^(call|answer|message) `([^`]+)`")
	messageKey = regexp.MustCompile(`(?m)^([a-z_0-9]+\.[a-z_0-9]+):`)
	testCells  = regexp.MustCompile("^(?:(?:`[^`]+`)(?:, `[^`]+`)*|—|not tested by itself)$")
)

// coverageRow is a row of the tables of docs/coverage.md.
type coverageRow struct{ what, file, test string }

// readCoverage returns the rows of all tables of docs/coverage.md.
func readCoverage(t *testing.T) []coverageRow {
	t.Helper()
	page, err := os.ReadFile(coveragePage)
	if err != nil {
		t.Fatal(err)
	}
	var rows []coverageRow
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| ") || line == "| what | file | test |" {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), " | ")
		if len(cells) != 3 {
			t.Errorf("not a row of three cells: %s", line)
			continue
		}
		rows = append(rows, coverageRow{cells[0], cells[1], cells[2]})
	}
	if len(rows) == 0 {
		t.Fatal("docs/coverage.md has no rows")
	}
	return rows
}

// subjects returns the calls, answers or messages that the rows of this kind are about.
func subjects(rows []coverageRow, kind string) []string {
	var found []string
	for _, row := range rows {
		if m := coverRow.FindStringSubmatch(row.what); m != nil && m[1] == kind {
			found = append(found, m[2])
		}
	}
	return found
}

func TestCoverage_namesFilesAndTestsThatExist(t *testing.T) {
	t.Parallel()
	for _, row := range readCoverage(t) {
		isBuilt := !strings.HasPrefix(row.file, "not built")
		if !testCells.MatchString(row.test) || isBuilt && row.test == "—" {
			t.Errorf("%s: the cell of its test is %q", row.what, row.test)
		}
		if isBuilt && !quoted.MatchString(row.file) {
			t.Errorf("%s names no file and does not say that it is not built", row.what)
		}
		for _, name := range quoted.FindAllStringSubmatch(row.file+" "+row.test, -1) {
			if fault := faultOfName(name[1]); fault != "" {
				t.Errorf("%s: %s", row.what, fault)
			}
		}
	}
}

// faultOfName returns what is wrong with a path or test that a row names, "" when it exists.
func faultOfName(name string) string {
	if m := goTest.FindStringSubmatch(name); m != nil {
		source, err := os.ReadFile(filepath.Join(root, m[1]))
		if err != nil || !strings.Contains(string(source), "\nfunc "+m[2]+"(") {
			return m[1] + " has no " + m[2]
		}
		return ""
	}
	if strings.HasSuffix(name, ".spec.ts") && !strings.Contains(name, "/") {
		name = "e2e/journeys/" + name
	}
	if !anyPath.MatchString(name) {
		return name + " is no path"
	}
	if _, err := os.Stat(filepath.Join(root, name)); err != nil {
		return name + " does not exist"
	}
	return ""
}

func TestCoverage_hasARowForEachCallAndAnswerOfTheContract(t *testing.T) {
	t.Parallel()
	rows := readCoverage(t)
	contract, err := openapi3.NewLoader().LoadFromData(api.Contract)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]bool{}
	calls := map[string]bool{}
	for address, item := range contract.Paths.Map() {
		for method, operation := range item.Operations() {
			calls[method+" "+address] = true
			for status := range operation.Responses.Map() {
				if status >= "400" && status < "600" {
					answers[status] = true
				}
			}
		}
	}
	compareRows(t, "call", subjects(rows, "call"), calls)
	for status := range answers {
		if !slices.Contains(subjects(rows, "answer"), status) {
			t.Errorf("no row for answer `%s`", status)
		}
	}
}

func TestCoverage_hasARowForEachMessage(t *testing.T) {
	t.Parallel()
	patterns := subjects(readCoverage(t), "message")
	used := map[string]bool{}
	files, err := filepath.Glob("../lang/messages/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no messages: ", err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messageKey.FindAllStringSubmatch(string(source), -1) {
			key, found := m[1], false
			for _, pattern := range patterns {
				if matches, _ := path.Match(pattern, key); matches {
					found, used[pattern] = true, true
				}
			}
			if !found {
				t.Errorf("no row for message `%s`", key)
			}
		}
	}
	for _, pattern := range patterns {
		if !used[pattern] {
			t.Errorf("message `%s` is that of no key", pattern)
		}
	}
	for _, status := range []string{"waiting_for_payment", "accepted", "cooking", "sent", "canceled"} {
		if !slices.Contains(patterns, "order.status_"+status) {
			t.Errorf("no row for the order status %s", status)
		}
	}
}

// TestCoverage_agreesWithTheRecordsOfARun needs the records of a whole run of the tests, which "make
// coverage" collects.
func TestCoverage_agreesWithTheRecordsOfARun(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("SERVERY_COVERAGE")
	if folder == "" {
		t.Skip("SERVERY_COVERAGE names no folder of records")
	}
	reached := readRecords(t, folder)
	for _, row := range readCoverage(t) {
		m := coverRow.FindStringSubmatch(row.what)
		if m == nil {
			continue
		}
		kind, pattern := m[1], m[2]
		if kind == "call" {
			pattern = strings.Replace(pattern, " ", " /api", 1)
		}
		by, hasOne := reached.testsOf(kind, pattern), false
		for _, name := range quoted.FindAllStringSubmatch(row.test, -1) {
			test := goTest.FindStringSubmatch(name[1])
			if test == nil {
				continue
			}
			folder := path.Dir(test[1])
			isReached := slices.Contains(by, folder+": "+test[2])
			hasOne = hasOne || isReached
			if isBelow := folder != "internal/server"; !isReached && (!isBelow || kind == "message") {
				t.Errorf("%s `%s` was not reached by %s; reached by %s", kind, m[2], name[1], strings.Join(by[:min(len(by), 12)], ", "))
			}
		}
		// e2e/harness/coverage.ts holds the journeys of calls and answers.
		if hasJourney := strings.Contains(row.test, ".spec.ts`"); !hasOne && (kind == "message" || !hasJourney) {
			t.Errorf("%s `%s` was reached by no Go test of its row; reached by %s", kind, m[2], strings.Join(by[:min(len(by), 12)], ", "))
		}
	}
}

// records has the tests, as "folder: name", that reached a call, answer or message, by its kind and name.
type records map[[2]string][]string

// testsOf returns the tests that reached something of the kind whose name matches the pattern.
func (r records) testsOf(kind, pattern string) []string {
	var tests []string
	for key, reachedBy := range r {
		matches := key[1] == pattern
		if kind == "message" {
			matches, _ = path.Match(pattern, key[1])
		}
		if key[0] == kind && matches {
			tests = append(tests, reachedBy...)
		}
	}
	slices.Sort(tests)
	return slices.Compact(tests)
}

// readRecords returns what the processes of a run have written into the folder.
func readRecords(t *testing.T, folder string) records {
	t.Helper()
	files, err := filepath.Glob(folder + "/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no records: ", err)
	}
	read := records{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			kind, name, _ := strings.Cut(cells[0], " ")
			read[[2]string{kind, name}] = append(read[[2]string{kind, name}], cells[1]+": "+cells[2])
		}
	}
	return read
}

// compareRows fails the test for each subject that is not wanted, and for each wanted subject without a row.
func compareRows(t *testing.T, kind string, have []string, want map[string]bool) {
	t.Helper()
	for _, name := range have {
		if !want[name] {
			t.Errorf("%s `%s` is not in the contract", kind, name)
		}
	}
	for name := range want {
		if !slices.Contains(have, name) {
			t.Errorf("no row for %s `%s`", kind, name)
		}
	}
}
