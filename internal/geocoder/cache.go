package geocoder

import (
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"

	"servery/internal/clock"
	"servery/internal/lang"
)

// DefaultTerm is how long an answer is reused. The terms of some services forbid to keep answers for
// long.
const DefaultTerm = time.Hour

// maxAnswers is how many answers are kept in memory; seven suggestions are about two kilobytes.
const maxAnswers = 5000

// question is what a service was asked.
type question struct {
	service Service
	kind    rune // suggest, find or at, by their first letters
	city    int64
	lang    lang.Lang
	text    string
}

// kept is an answer with the end of its term.
type kept struct {
	answer any
	until  time.Time
}

// cache keeps the answers of services in the memory of this process.
type cache struct {
	clock   clock.Clock
	answers *otter.Cache[question, kept]
}

// newCache returns an empty cache.
func newCache(c clock.Clock) (*cache, error) {
	answers, err := otter.New(&otter.Options[question, kept]{MaximumSize: maxAnswers})
	if err != nil {
		return nil, fmt.Errorf("make memory for geocoders: %w", err)
	}
	return &cache{clock: c, answers: answers}, nil
}

// get returns the answer to a question, false when there is none or its term is over.
func (c *cache) get(q question) (any, bool) {
	found, ok := c.answers.GetIfPresent(q)
	if !ok || !c.clock.Now().Before(found.until) {
		return nil, false
	}
	return found.answer, true
}

// put stores the answer to a question for a term, 0 for [DefaultTerm].
func (c *cache) put(q question, answer any, term time.Duration) {
	if term == 0 {
		term = DefaultTerm
	}
	c.answers.Set(q, kept{answer: answer, until: c.clock.Now().Add(term)})
}
