package report

import (
	"regexp"
	"strings"

	"github.com/getsentry/sentry-go"
)

// maxText bounds each text of a report.
const maxText = 1000

// personal is what may name a person, a card or a session, with what is put in its place. The order
// matters: an address goes before the numbers within it.
var personal = []struct {
	found *regexp.Regexp
	put   string
}{
	// What an engine names of an object is code; everything else in quotes may be anything.
	{regexp.MustCompile(`\((reading|setting) '([a-z$_][\w$]*)'\)`), "($1 $2)"},
	{regexp.MustCompile("\"[^\"]*\"|`[^`]*`|«[^»]*»|„[^“”]*[“”]|“[^”]*”|‘[^’]*’"), "[text]"},
	{regexp.MustCompile(`(^|[\s(=:,\[{])'[^']*'`), "$1[text]"},
	{regexp.MustCompile(`[\w.+%-]+@[\w-]+(\.[\w-]+)+`), "[email]"},
	{regexp.MustCompile(`[?#][^\s"')]*=[^\s"')]*`), "[query]"},
	{regexp.MustCompile(`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F-]{4,}\b`), "[key]"},
	{regexp.MustCompile(`\b\d{1,3}(\.\d{1,3}){3}\b`), "[ip]"},
	{regexp.MustCompile(`[0-9a-fA-F]{0,4}(:[0-9a-fA-F]{0,4}){4,7}`), "[ip]"},
	{regexp.MustCompile(`-?\d{1,3}\.\d{4,}`), "[number]"},
	{regexp.MustCompile(`\+?\d[\d\s().-]{4,}\d`), "[number]"},
	{regexp.MustCompile(`\b[A-Za-z0-9_-]*\d[A-Za-z0-9_-]{15,}`), "[key]"},
	{regexp.MustCompile(`\b[A-Za-z0-9_-]{32,}`), "[key]"},
	{regexp.MustCompile(`\S*[^\x00-\x7F]\S*`), "[text]"},
}

// capitalized is a word that begins with a capital and is no part of a path in code.
var capitalized = regexp.MustCompile(`(^|[^\w.$/*])([A-Z][A-Za-z]*)(\b)`)

// technical are the words with a capital that errors of programs and browsers are made of. Any other
// one may be the name of a person, a street or a town.
var technical = func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(`
		Access An API Assignment At Attempted Cannot Can Client Connection Could CSP CSS Database DELETE DNS Duplicate EOF ERROR
		Expected Error Failed Fatal Function GET Get HTML HTTP HTTPS Hydration ID IP Illegal Importing In Infinity Insufficient
		Internal Invalid JSON Key Load Loading Maximum Minified Missing Module Multiple NaN Network No Not Object Only Out PATCH POST PUT
		Permission Post Promise Proxy Put Reading React Refused Request Rendered Response Script Server Setting SQL SQLSTATE Suspense
		TCP TLS Text The There This Timeout Too Transaction UNIQUE URL UTC Unable Uncaught Undefined Unexpected Unhandled Value`) {
		words[word] = true
	}
	return words
}()

// scrub cuts the text to maxText bytes, and removes what may name a person, a card or a session.
func scrub(text string) string {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	for _, p := range personal {
		text = p.found.ReplaceAllString(text, p.put)
	}
	return capitalized.ReplaceAllStringFunc(text, func(match string) string {
		found := capitalized.FindStringSubmatch(match)
		if word := found[2]; technical[word] || strings.HasSuffix(word, "Error") || strings.HasSuffix(word, "Exception") {
			return match
		}
		return found[1] + "[word]"
	})
}

// scrubEvent drops user, request, breadcrumbs and message of the event, removes from every other text what
// may name a person, and returns the event. The ids
// of our own rows and requests stay: they lead to the log, and name no person elsewhere.
func scrubEvent(event *sentry.Event) *sentry.Event {
	event.User, event.Request, event.Breadcrumbs, event.Message = sentry.User{}, nil, nil, ""
	if event.Logger == pageLogger {
		event.Platform = "javascript" // the client marks every event as Go's
	}
	event.Transaction = scrubRoute(event.Transaction)
	for i := range event.Exception {
		e := &event.Exception[i]
		e.Type, e.Value = scrub(e.Type), scrub(e.Value)
	}
	for name, value := range event.Tags {
		if name != "browser.name" {
			event.Tags[name] = scrub(value)
		}
	}
	for name, value := range event.Contexts[logContext] {
		if text, ok := value.(string); ok && (name != "request_id" || !requestID.MatchString(text)) {
			event.Contexts[logContext][name] = scrub(text)
		}
	}
	return event
}

var (
	// requestID is the form of the id of a request.
	requestID = regexp.MustCompile(`^[0-9a-f]{16}$`)
	// route is the form of the pattern of an address: words of ours and the names of what varies.
	route = regexp.MustCompile(`^(/(:[A-Za-z]+|[a-z0-9-]{1,24}))*/?$`)
)

// scrubRoute returns the pattern of an address, or nothing for any other text.
func scrubRoute(pattern string) string {
	if !route.MatchString(pattern) {
		return ""
	}
	return pattern
}
