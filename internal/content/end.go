package content

import "time"

// end is when an offer is over, with the place of the offer.
type end struct {
	value

	// what and when are the offer and its end as they are written.
	what, when string
	// finished is the moment from which it is over, by a clock of UTC. A night belongs to the last day of a promocode.
	finished time.Time
}

// Ended returns the promocodes and banners that are over at now in every time zone, nights that belong to the last day of
// a promocode among them, sorted by file and line.
func (f *Folder) Ended(now time.Time) []Fault {
	const furthestWest = 12 * time.Hour
	found := &faults{}
	for _, e := range f.ends {
		if !now.Before(e.finished.Add(furthestWest)) {
			found.addWarning(e.file, e.lineNumber(), "the %s ended on %s", e.what, e.when)
		}
	}
	return found.sortedList()
}
