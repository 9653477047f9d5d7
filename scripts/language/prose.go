package main

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// firstSubject is the last commit before the rule for subjects; those after it are checked.
const firstSubject = "2f0276a"

var (
	pronoun = regexp.MustCompile(`(?i)\b(?:he|him|his|himself|she|her|herself)\b`)
	subject = regexp.MustCompile(`^[a-z0-9]+(?:[/,] ?[a-z0-9]+)*: [^A-Z\s].*[^.]$`)
)

const longestSubject = 72

// checkPronouns returns a fault for each line of a comment or a document with a pronoun for a man or a woman, because
// programs, processes and customers are it or they.
func checkPronouns(files []string) ([]string, error) {
	var faults []string
	for _, file := range files {
		prose, err := readProse(file)
		if err != nil {
			return nil, err
		}
		for _, p := range prose {
			for i, line := range strings.Split(p.text, "\n") {
				if word := pronoun.FindString(line); word != "" {
					faults = append(faults, fmt.Sprintf("%s:%d: %q: a program, a process and a customer is it or they", file, p.line+i, word))
				}
			}
		}
	}
	return faults, nil
}

// passage is a comment, or the whole of a document.
type passage struct {
	line int // the number of its first line
	text string
}

// commentInPage finds comments. The // of an address, which follows a colon, is none.
var commentInPage = regexp.MustCompile(`(?s)/\*.*?\*/|(?:^|[^:])//[^\n]*`)

// readProse returns the passages of a file that are written for readers: a whole document, or the comments of code. Any
// other file has none.
func readProse(file string) ([]passage, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read prose: %w", err)
	}
	switch {
	case strings.HasSuffix(file, ".md"):
		return []passage{{1, string(text)}}, nil
	case strings.HasSuffix(file, ".go"):
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("read prose: %w", err)
		}
		var comments []passage
		for _, group := range tree.Comments {
			for _, c := range group.List {
				comments = append(comments, passage{set.Position(c.Pos()).Line, c.Text})
			}
		}
		return comments, nil
	case strings.HasSuffix(file, ".ts"), strings.HasSuffix(file, ".tsx"), strings.HasSuffix(file, ".mjs"), strings.HasSuffix(file, ".css"):
		var comments []passage
		for _, at := range commentInPage.FindAllIndex(text, -1) {
			comments = append(comments, passage{1 + strings.Count(string(text[:at[0]]), "\n"), string(text[at[0]:at[1]])})
		}
		return comments, nil
	case strings.HasSuffix(file, ".sql"):
		var comments []passage
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			if _, comment, ok := strings.Cut(line, "--"); ok {
				comments = append(comments, passage{n, comment})
			}
		}
		return comments, nil
	}
	return nil, nil
}

// checkSubjects returns a fault for each commit since firstSubject whose subject is too long or is not a room, a colon
// and an imperative. Without the history, as in a shallow clone, it prints a note and checks none.
func checkSubjects(ctx context.Context, out io.Writer) ([]string, error) {
	if err := exec.CommandContext(ctx, "git", "merge-base", "--is-ancestor", firstSubject, "HEAD").Run(); err != nil {
		fmt.Fprintf(out, "commit subjects are not checked: %s is not in the history here\n", firstSubject) //nolint:errcheck // as any report
		return nil, nil                                                                                    //nolint:nilerr // said above
	}
	text, err := exec.CommandContext(ctx, "git", "log", "--no-merges", "--format=%h %s", firstSubject+"..HEAD").Output()
	if err != nil {
		return nil, fmt.Errorf("read commit subjects: %w", err)
	}
	var faults []string
	for line := range strings.Lines(string(text)) {
		hash, title, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case !subject.MatchString(title):
			faults = append(faults, fmt.Sprintf("commit %s: %q is not a room, a colon and an imperative", hash, title))
		case len(title) > longestSubject:
			faults = append(faults, fmt.Sprintf("commit %s: %q has more than %d letters", hash, title, longestSubject))
		}
	}
	return faults, nil
}
