package server

import (
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// outcome is a route and a status that it has answered with.
type outcome struct {
	pattern string
	status  int
}

// observed is the metric of an outcome, with its status as text.
type observed struct {
	seconds prometheus.Observer
	code    string
}

// observers has the metrics of outcomes by now, which are looked up by their labels once. There are as many as
// routes and statuses. It is safe for concurrent use.
type observers struct {
	mu   sync.RWMutex
	made map[outcome]observed
}

// of returns the metric of an outcome, from the vector when it is the first.
func (o *observers) of(requests *prometheus.HistogramVec, key outcome) observed {
	o.mu.RLock()
	found, ok := o.made[key]
	o.mu.RUnlock()
	if ok {
		return found
	}
	code := strconv.Itoa(key.status)
	found = observed{requests.WithLabelValues(key.pattern, code), code}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.made == nil {
		o.made = map[outcome]observed{}
	}
	o.made[key] = found
	return found
}
