package config

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// prefix is how the variables of settings begin, all but DATABASE_URL.
const prefix = "SERVERY_"

// serviceVariable matches the variables that Kubernetes sets for its services: one may be named servery.
var serviceVariable = regexp.MustCompile(`^SERVERY_(\w+_)?(SERVICE_(HOST|PORT)|PORT_\d|PORT=\w+://)`)

// UnknownVariable is a variable of the environment that begins like those of settings and is none.
type UnknownVariable struct {
	Name string
	// Nearest is the variable of a setting that it may be a misspelling of; empty when none is near.
	Nearest string
}

// String says that the variable is no setting, and which one was probably meant. It never shows the value.
func (u UnknownVariable) String() string {
	if u.Nearest == "" {
		return u.Name + " is no setting: servery help lists them"
	}
	return u.Name + " is no setting: " + u.Nearest + " is probably meant"
}

// findUnknown returns the variables of the environment that begin like those of settings and are none, sorted by
// name. A variable that is empty counts as not set.
func findUnknown(environ []string, settings []setting) []UnknownVariable {
	known := variablesOf(settings)
	var unknown []UnknownVariable
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		if !strings.HasPrefix(name, prefix) || value == "" || slices.Contains(known, name) || serviceVariable.MatchString(line) {
			continue
		}
		unknown = append(unknown, UnknownVariable{Name: name, Nearest: findNearest(name, known)})
	}
	slices.SortFunc(unknown, func(a, b UnknownVariable) int { return cmp.Compare(a.Name, b.Name) })
	return unknown
}

// variablesOf returns the variables of the settings, with those that name files of secrets.
func variablesOf(settings []setting) []string {
	var names []string
	for _, s := range settings {
		names = append(names, s.env)
		if s.secret {
			names = append(names, s.env+fileSuffix)
		}
	}
	return names
}

// findNearest returns the name of the list that differs least from name: in one letter or, where more than five stand
// behind the prefix, in two. Small letters count as capitals. It is empty when all differ in more.
func findNearest(name string, list []string) string {
	most := 1
	if len(name) > len(prefix)+5 {
		most = 2
	}
	nearest, fewest := "", most+1
	for _, candidate := range list {
		if typos := countTypos(strings.ToUpper(name), candidate); typos < fewest {
			nearest, fewest = candidate, typos
		}
	}
	return nearest
}

// countTypos returns how many letters must be inserted, left out, replaced or swapped with their neighbour to make b
// of a: the edit distance of Damerau and Levenshtein. Bytes are compared.
func countTypos(a, b string) int {
	typos := make([][]int, len(a)+1) // between the beginnings of both, by their lengths
	for i := range typos {
		typos[i] = make([]int, len(b)+1)
		for j := range typos[i] {
			switch {
			case i == 0 || j == 0:
				typos[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				typos[i][j] = typos[i-1][j-1]
			default:
				typos[i][j] = 1 + min(typos[i-1][j-1], typos[i-1][j], typos[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				typos[i][j] = min(typos[i][j], 1+typos[i-2][j-2])
			}
		}
	}
	return typos[len(a)][len(b)]
}
