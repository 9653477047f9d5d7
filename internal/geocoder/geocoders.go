package geocoder

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"servery/internal/clock"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/remote"
)

const (
	// suggestTimeout is how long a service may take for suggestions.
	suggestTimeout = 800 * time.Millisecond
	// minSuggest is from how many characters on services are asked for suggestions.
	minSuggest = 3
	// houseWithin and streetWithin are the most metres between a point and its address.
	houseWithin  = 150
	streetWithin = 600
	// firstPause is how long a service is left alone that has failed once. It doubles with each
	// failure, maxDoublings times, up to longestPause.
	firstPause   = time.Second
	longestPause = time.Minute
	maxDoublings = 6
)

// Choice is a service that a brand has chosen.
type Choice struct {
	Service Service
	// Cities are the aliases of the cities that it is asked about; empty for all.
	Cities []string
	// Term is how long its answers are reused; 0 is [DefaultTerm].
	Term time.Duration
}

// Serves reports whether the service is asked about the city.
func (c Choice) Serves(city string) bool {
	return len(c.Cities) == 0 || slices.Contains(c.Cities, city)
}

// Geocoders asks the services of brands in their order, and then the local index. It pauses a service
// that fails, and reuses answers. It is safe for concurrent use.
type Geocoders struct {
	local   geo.Geocoder
	log     *slog.Logger
	clock   clock.Clock
	answers *answerCache

	mu     sync.Mutex
	pauses map[Service]pause
}

// pause is how a service that has failed is left alone.
type pause struct {
	until    time.Time
	failures int
}

// New returns geocoders over the local index.
func New(local geo.Geocoder, log *slog.Logger, c clock.Clock) *Geocoders {
	return &Geocoders{local: local, log: log, clock: c, answers: newAnswerCache(c), pauses: map[Service]pause{}}
}

// Of returns the geocoder of a city: the chosen services that serve it, then the local index. admit
// is called before each call to a service and reports whether the customer may cause one more;
// otherwise only the local index answers.
func (g *Geocoders) Of(choices []Choice, city City, admit func() bool) geo.Geocoder {
	serving := slices.DeleteFunc(slices.Clone(choices), func(c Choice) bool { return !c.Serves(city.Alias) })
	if len(serving) == 0 {
		return g.local
	}
	return &chain{Geocoders: g, choices: serving, city: city, admit: admit}
}

// chain is the geocoder of one city for one customer.
type chain struct {
	*Geocoders

	choices []Choice
	city    City
	admit   func() bool
}

// Suggest returns the suggestions of the first service that has some, else those of the local index.
func (c *chain) Suggest(ctx context.Context, cityID int64, text string, l lang.Lang) ([]geo.Suggestion, error) {
	asked := cleanText(text)
	if utf8.RuneCountInString(asked) >= minSuggest {
		for _, choice := range c.choices {
			suggester, ok := choice.Service.(Suggester)
			if !ok {
				continue
			}
			key := question{service: choice.Service, kind: 's', city: cityID, lang: l, text: asked}
			found, ok := askService(ctx, c, choice, key, func(ctx context.Context) ([]geo.Suggestion, error) {
				ctx, cancel := context.WithTimeout(ctx, suggestTimeout)
				defer cancel()
				return suggester.Suggest(ctx, c.city, asked, l)
			})
			if ok && len(found) > 0 {
				return found, nil
			}
		}
	}
	return c.local.Suggest(ctx, cityID, text, l)
}

// Find asks the services in their order, then the local index, and returns the first house that is
// found. When none finds a house it returns the first street, and without one the town.
func (c *chain) Find(ctx context.Context, cityID int64, text string, l lang.Lang) (geo.Answer, error) {
	asked := cleanText(text)
	best, ok := c.best(ctx, question{kind: 'f', city: cityID, lang: l, text: asked}, func(ctx context.Context, s Service) (geo.Answer, error) {
		return s.Find(ctx, c.city, asked, l)
	})
	if ok {
		return best, nil
	}
	local, err := c.local.Find(ctx, cityID, text, l)
	if err != nil || local.IsBetterThan(best) {
		return local, err
	}
	return best, nil
}

// At asks the services in their order, then the local index, and returns the first house within 150 m.
// When none finds a house it returns the first street within 600 m. The answer lies at the point.
func (c *chain) At(ctx context.Context, cityID int64, point geo.Point, l lang.Lang) (geo.Answer, error) {
	key := question{kind: 'a', city: cityID, lang: l, text: degrees(point.Latitude) + " " + degrees(point.Longitude)}
	best, ok := c.best(ctx, key, func(ctx context.Context, s Service) (geo.Answer, error) {
		found, err := s.At(ctx, c.city, point, l)
		return moveToPoint(found, point), err
	})
	if ok {
		return best, nil
	}
	local, err := c.local.At(ctx, cityID, point, l)
	if err != nil || local.IsBetterThan(best) {
		return local, err
	}
	return best, nil
}

// moveToPoint returns the answer with its point moved to the requested point; the zero answer when it is
// too far from there, or only a town.
func moveToPoint(found geo.Answer, point geo.Point) geo.Answer {
	within := float64(streetWithin)
	if found.Precision == geo.AtHouse {
		within = houseWithin
	}
	if !found.Found() || found.Precision == geo.AtLocality || geo.DistanceMetres(found.Point, point) > within {
		return geo.Answer{}
	}
	found.Point = point
	return found
}

// best asks the services for an answer and returns the first that is a house, and true. Without one
// it returns the first of the most precise, or the zero answer, and false.
func (c *chain) best(
	ctx context.Context, key question, find func(context.Context, Service) (geo.Answer, error),
) (best geo.Answer, isHouse bool) {
	for _, choice := range c.choices {
		key.service = choice.Service
		found, ok := askService(ctx, c, choice, key, func(ctx context.Context) (geo.Answer, error) { return find(ctx, choice.Service) })
		if !ok {
			continue
		}
		if found.Precision == geo.AtHouse {
			return found, true
		}
		if found.IsBetterThan(best) {
			best = found
		}
	}
	return best, false
}

// askService returns the answer of a service to a question, from the cache or by a call. It reports
// false when there is none: the service is paused, the customer has asked too much, or the call
// failed, which pauses the service.
func askService[T any](ctx context.Context, c *chain, choice Choice, key question, call func(context.Context) (T, error)) (answer T, ok bool) {
	if remembered, found := c.answers.get(key); found {
		answer, ok = remembered.(T)
		return answer, ok
	}
	if ctx.Err() != nil || c.isPaused(choice.Service) || !c.admit() {
		return answer, false
	}
	answer, err := call(ctx)
	if err != nil {
		// A request is canceled when the customer types on. That is no failure of the service.
		if !errors.Is(err, context.Canceled) {
			c.recordFailure(ctx, choice.Service, err)
		}
		return answer, false
	}
	c.recordSuccess(choice.Service)
	c.answers.put(key, answer, choice.Term)
	return answer, true
}

// isPaused reports whether the service is left alone.
func (g *Geocoders) isPaused(s Service) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.clock.Now().Before(g.pauses[s].until)
}

// recordSuccess ends the pauses of a service.
func (g *Geocoders) recordSuccess(s Service) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.pauses, s)
}

// recordFailure pauses a service: until its quota is renewed, else for a second, which doubles with
// each failure up to a minute. A refusal of the text itself pauses nothing. It logs every failure.
func (g *Geocoders) recordFailure(ctx context.Context, s Service, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.pauses[s]
	var exhausted *Exhausted
	switch {
	case errors.As(err, &exhausted):
		p.until = exhausted.Until
	case !isAboutText(err):
		p.until = g.clock.Now().Add(min(firstPause<<p.failures, longestPause))
		p.failures = min(p.failures+1, maxDoublings)
	}
	g.pauses[s] = p
	g.log.WarnContext(ctx, "geocoder failed", "geocoder", s.Name(), "error", err, "paused_until", p.until)
}

// isAboutText reports whether a service refused the text of the request. Other requests may succeed.
func isAboutText(err error) bool {
	var refusal *remote.Error
	return errors.As(err, &refusal) && slices.Contains([]int{
		http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong, http.StatusUnprocessableEntity,
	}, refusal.Status)
}
