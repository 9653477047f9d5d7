package geocoder

import (
	"time"

	"servery/internal/cache"
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

// answerCache keeps the answers of services in the memory of this process.
type answerCache struct {
	clock   clock.Clock
	answers *cache.Cache[question, kept]
}

// newAnswerCache returns an empty cache.
func newAnswerCache(c clock.Clock) *answerCache {
	return &answerCache{clock: c, answers: cache.OfSize[question, kept](maxAnswers, cache.Life{})}
}

// get returns the answer to a question, false when there is none or its term is over.
func (c *answerCache) get(q question) (any, bool) {
	found, ok := c.answers.Get(q)
	if !ok || !c.clock.Now().Before(found.until) {
		return nil, false
	}
	return found.answer, true
}

// put stores the answer to a question for a term, 0 for [DefaultTerm].
func (c *answerCache) put(q question, answer any, term time.Duration) {
	if term == 0 {
		term = DefaultTerm
	}
	c.answers.Set(q, kept{answer: answer, until: c.clock.Now().Add(term)})
}
