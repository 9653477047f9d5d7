// Command language checks the words that the program is written in, and prints its figures.
//
//	go run ./scripts/language           # refuse names, pronouns and commit subjects
//	go run ./scripts/language -figures  # print figures of names and comments, room by room
//
// Words that are refused everywhere are in tools/language/cspell.json; names that are refused as
// whole identifiers are in tools/language/refused-names.txt. docs/glossary.md and CONTRIBUTING.md
// explain both.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
)

func main() {
	figures := flag.Bool("figures", false, "print the figures of all rooms instead")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *figures, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "language:", err)
		stop()
		os.Exit(1)
	}
}

// run prints the figures; without figures it prints each place that breaks a rule, and returns an error when there is
// one.
func run(ctx context.Context, figures bool, out io.Writer) error {
	files, err := listFiles(ctx)
	if err != nil {
		return err
	}
	if figures {
		return printFigures(out, files)
	}
	names, err := readRefusedNames("tools/language/refused-names.txt")
	if err != nil {
		return err
	}
	var faults []string
	for _, check := range []func() ([]string, error){
		func() ([]string, error) { return checkNames(files, names) },
		func() ([]string, error) { return checkPronouns(files) },
		func() ([]string, error) { return checkSubjects(ctx, out) },
	} {
		found, err := check()
		if err != nil {
			return err
		}
		faults = append(faults, found...)
	}
	for _, f := range faults {
		fmt.Fprintln(out, f) //nolint:errcheck // a report that cannot be printed has no other place
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d places to word plainly; see docs/glossary.md", len(faults))
	}
	return nil
}

// generated are the ends of the names of files that are not written by hand.
var generated = []string{".gen.go", "schema.d.ts", "package-lock.json", "THIRD_PARTY.txt"}

// listFiles returns the files of the repository that are written by hand, those that are not committed yet too.
func listFiles(ctx context.Context) ([]string, error) {
	text, err := exec.CommandContext(ctx, "git", "ls-files", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	var files []string
	for name := range strings.Lines(string(text)) {
		name = strings.TrimSpace(name)
		if slices.ContainsFunc(generated, func(end string) bool { return strings.HasSuffix(name, end) }) {
			continue
		}
		if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
			continue // deleted and not committed yet
		}
		files = append(files, name)
	}
	return files, nil
}
