package look

import (
	_ "embed"
	"encoding/json"
	"slices"

	"servery/internal/lang"
)

//go:embed letters.json
var lettersFile []byte

var neededLetters = readNeededLetters()

// readNeededLetters returns the letters of each language, and under "every" those that all pages need.
func readNeededLetters() map[string]string {
	var letters map[string]string
	if err := json.Unmarshal(lettersFile, &letters); err != nil {
		panic(err) // the first test finds it
	}
	return letters
}

// LettersFile returns the letters of all languages as a file of JSON, which a script that cuts fonts
// reads.
func LettersFile() []byte { return slices.Clone(lettersFile) }

// LettersOf returns the letters that a page in the language needs, with digits and punctuation.
func LettersOf(l lang.Lang) string { return neededLetters["every"] + neededLetters[string(l)] }
