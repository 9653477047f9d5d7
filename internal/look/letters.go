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

func readNeededLetters() map[string]string {
	var all map[string]string
	if err := json.Unmarshal(lettersFile, &all); err != nil {
		panic(err) // the first test finds it
	}
	return all
}

// LettersFile returns the letters of all languages as a file of JSON, which a script that cuts fonts
// reads.
func LettersFile() []byte { return slices.Clone(lettersFile) }

// LettersOf returns the letters that a page in the language needs, with digits and punctuation.
func LettersOf(l lang.Lang) string { return neededLetters["every"] + neededLetters[string(l)] }
