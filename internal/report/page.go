package report

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/getsentry/sentry-go"
)

// PageError is an error that a page met in a visitor's browser.
type PageError struct {
	// Site is the alias of the brand, Kind says how the page met the error.
	Site, Kind string
	// Name is the kind of error in the browser, Message what it says, Stack where in the page's code.
	Name, Message, Stack string
	// Route is the pattern of the page's address.
	Route string
	// UserAgent is what the browser sends of itself; its name and version are reported alone.
	UserAgent string
}

// ReportPage sends an error of a page. It returns at once.
func (r *Reporter) ReportPage(e PageError) {
	event := newEvent(e.Name, e.Message)
	event.Logger = pageLogger
	event.Transaction = e.Route
	event.Tags = map[string]string{"site": e.Site, "kind": e.Kind, "browser.name": nameBrowser(e.UserAgent)}
	if frames := pageFrames(e.Stack); len(frames) > 0 {
		event.Exception[0].Stacktrace = &sentry.Stacktrace{Frames: frames}
	}
	r.send(event, e.Name+"\n"+e.Message)
}

const pageLogger = "page"

// maxFrames bounds the frames of a page's stack.
const maxFrames = 50

// frameForms are a line of a stack as Chromium and as Firefox and Safari write it: the function, the
// path of the file below the site, line and column.
var frameForms = []*regexp.Regexp{
	regexp.MustCompile(`^\s*at (?:(?:async )?(?:new )?(.*?) \()?[a-z]+://[^/\s]+(/[^\s?#]*?):(\d+):(\d+)\)?$`),
	regexp.MustCompile(`^\s*(.*?)@[a-z]+://[^/\s]+(/[^\s?#]*?):(\d+):(\d+)$`),
}

var (
	// ownFile is the path of a script of ours.
	ownFile = regexp.MustCompile(`^/(assets/[\w.-]+|sw)\.js$`)
	// functionName is a function as scripts name it.
	functionName = regexp.MustCompile(`^[\w$.<>/]{1,80}$`)
)

// pageFrames returns the frames of a stack that are in scripts of ours, the innermost last. A frame has
// only function, file, line and column.
func pageFrames(stack string) []sentry.Frame {
	var frames []sentry.Frame
	for line := range strings.Lines(stack) {
		for _, form := range frameForms {
			found := form.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if found == nil || !ownFile.MatchString(found[2]) || len(frames) == maxFrames {
				continue
			}
			row, _ := strconv.Atoi(found[3]) // only digits; 0 for a number that is too large
			column, _ := strconv.Atoi(found[4])
			frame := sentry.Frame{Filename: "app://" + found[2], Lineno: row, Colno: column, InApp: true}
			if functionName.MatchString(found[1]) {
				frame.Function = found[1]
			}
			frames = append([]sentry.Frame{frame}, frames...)
			break
		}
	}
	return frames
}

// browsers are the names of browsers and the marks of their versions; the order matters, since most
// name others too.
var browsers = []struct {
	name string
	mark *regexp.Regexp
}{
	{"Edge", regexp.MustCompile(`\bEdg[A-Z]?[a-z]*/(\d+)`)},
	{"Yandex", regexp.MustCompile(`\bYaBrowser/(\d+)`)},
	{"Opera", regexp.MustCompile(`\bOPR/(\d+)`)},
	{"Samsung", regexp.MustCompile(`\bSamsungBrowser/(\d+)`)},
	{"Firefox", regexp.MustCompile(`\b(?:Firefox|FxiOS)/(\d+)`)},
	{"Chrome", regexp.MustCompile(`\b(?:Chrome|CriOS|HeadlessChrome)/(\d+)`)},
	{"Safari", regexp.MustCompile(`\bVersion/(\d+)[^ ]* (?:Mobile/\S+ )?Safari/`)},
}

// nameBrowser returns name and version of the browser that sends the User-Agent, "other" for an unknown
// one.
func nameBrowser(userAgent string) string {
	for _, b := range browsers {
		if found := b.mark.FindStringSubmatch(userAgent); found != nil {
			return b.name + " " + found[1]
		}
	}
	return "other"
}
