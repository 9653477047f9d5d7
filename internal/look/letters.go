package look

import (
	_ "embed"
	"encoding/json"

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

// LettersOf returns the letters that a page in the language needs, with digits and punctuation.
func LettersOf(l lang.Lang) string { return neededLetters["every"] + neededLetters[string(l)] }
