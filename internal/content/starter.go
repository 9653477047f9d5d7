package content

import (
	"net/mail"
	"regexp"
	"slices"
	"strings"

	"servery/internal/lang"
)

// starterPhrases are in the pages of the starter folder, and starterContacts its phones, addresses and companies: no
// brand may open with them.
var (
	starterPhrases = []string{
		"Write here who you are",
		"Schreiben Sie hier, wer Sie sind",
		"Trattoria GmbH, Torstraße 100",
		"Put your own data here before you open",
		"Setzen Sie hier Ihre eigenen Angaben ein, bevor Sie öffnen",
		"Put your own privacy policy here before you open",
		"Setzen Sie hier Ihre eigene Datenschutzerklärung ein, bevor Sie öffnen",
	}
	starterContacts = []string{"+49 30 00000000", "hello@example.com", "Trattoria GmbH"}
)

// isOfStarter reports whether a text has, in any language, what a page of the starter folder says.
func isOfStarter(text lang.Text) bool {
	for _, one := range text {
		if slices.ContainsFunc(starterPhrases, func(phrase string) bool { return strings.Contains(one, phrase) }) {
			return true
		}
	}
	return false
}

// readPhone returns a phone of the brand as [wordValue.readContact] does. It adds a fault where it is not one number:
// the page calls all of its digits.
func (v wordValue) readPhone() string {
	text := v.readContact("phone")
	if text != "" && !phonePattern.MatchString(text) {
		v.addFault("a phone is one number of digits, blanks, brackets and dashes: %q", text)
	}
	return text
}

// phonePattern is a number of 3 to 15 digits, as customers read it.
var phonePattern = regexp.MustCompile(`^\+?(?:[\s\x{a0}()./–-]*[0-9]){3,15}$`)

// readEmail returns an e-mail of the brand as [wordValue.readContact] does. It adds a fault where it is none.
func (v wordValue) readEmail() string {
	text := v.readContact("email")
	if at, err := mail.ParseAddress(text); text != "" && (err != nil || at.Address != text) {
		v.addFault("an e-mail is written like hello@example.com: %q", text)
	}
	return text
}

// readContact returns a field by which customers reach or know the brand, empty where it is left out. It adds a warning
// to one that is still that of the starter folder.
func (v wordValue) readContact(field string) string {
	if v.isNull() {
		return ""
	}
	text := v.toText()
	if slices.Contains(starterContacts, text) {
		v.addWarning("this is still the %s that new-brand wrote: write your own before you open", field)
	}
	return text
}
