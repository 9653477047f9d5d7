//go:build coverage

package coverage

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

var (
	mu      sync.Mutex
	written = map[string]bool{}
	// records is the file of this process, in the folder that SERVERY_COVERAGE names.
	records = sync.OnceValue(func() *os.File {
		name := filepath.Join(os.Getenv("SERVERY_COVERAGE"), strconv.Itoa(os.Getpid()))
		file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		return file
	})
)

// Record writes a line with what was reached, its kind, and the test that reached it. The test is
// found in the stack of the goroutine, or of the goroutines that have started it where GODEBUG has
// tracebackancestors. It is safe for concurrent use.
func Record(kind, name string) {
	test, found := testInStack()
	if !found {
		test, found = testInAncestors()
	}
	if !found {
		return
	}
	line := kind + " " + name + "\t" + test + "\n"
	mu.Lock()
	defer mu.Unlock()
	if written[line] {
		return
	}
	written[line] = true
	if _, err := records().WriteString(line); err != nil {
		panic(err)
	}
}

// testInStack returns the folder and the name of the test that the goroutine runs, with a tab
// between. It returns false when no test is in its stack, as in a goroutine that a test has started.
func testInStack() (string, bool) {
	callers := make([]uintptr, 128)
	const skipped = 3 // Callers, this function and Record
	frames := runtime.CallersFrames(callers[:runtime.Callers(skipped, callers)])
	for {
		frame, more := frames.Next()
		folder, name, isTest := strings.Cut(frame.Function, ".Test")
		if folder, ours := strings.CutPrefix(folder, "servery/"); isTest && ours {
			name, _, _ = strings.Cut(name, ".")
			return strings.TrimSuffix(folder, "_test") + "\tTest" + name, true
		}
		if !more {
			return "", false
		}
	}
}

var testOf = regexp.MustCompile(`(?m)^servery/([\w/]+?)(?:_test)?\.(Test\w+)[.(]`)

// testInAncestors returns the folder and the name of the test that has started this goroutine, or the
// goroutines before it, with a tab between. It returns false when there is none. It is slower than
// testInStack.
func testInAncestors() (string, bool) {
	stack := make([]byte, 64<<10)
	test := testOf.FindSubmatch(stack[:runtime.Stack(stack, false)])
	if test == nil {
		return "", false
	}
	return string(test[1]) + "\t" + string(test[2]), true
}
