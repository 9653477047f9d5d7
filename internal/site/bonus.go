package site

import (
	"time"

	"servery/internal/clock"
)

// BonusProgramme is the share of a payment that a customer gets back in bonuses, and until when.
// One bonus is one currency unit.
type BonusProgramme struct {
	// BasisPoints is what is accrued, in hundredths of a percent of what was paid for
	// products.
	BasisPoints int `json:"basis_points"`
	// AccrualUntil and SpendUntil are the last days in the city on which bonuses are
	// accrued and can be spent; nil means for ever.
	AccrualUntil *clock.Day `json:"accrual_until,omitempty"`
	SpendUntil   *clock.Day `json:"spend_until,omitempty"`
}

// IsAccruing reports whether bonuses are accrued at the instant by the calendar of loc: not
// after the last day AccrualUntil. It is false when BasisPoints is 0, and for nil, which is no
// programme.
func (p *BonusProgramme) IsAccruing(now time.Time, loc *time.Location) bool {
	return p != nil && p.BasisPoints > 0 && isNotPast(p.AccrualUntil, now, loc)
}

// IsSpendable reports whether bonuses can be spent at the instant by the calendar of loc: not
// after the last day SpendUntil. It is false for nil, which is no programme.
func (p *BonusProgramme) IsSpendable(now time.Time, loc *time.Location) bool {
	return p != nil && isNotPast(p.SpendUntil, now, loc)
}

// isNotPast reports whether the date of the instant in loc is not after the day last. nil means
// that there is no last day.
func isNotPast(last *clock.Day, now time.Time, loc *time.Location) bool {
	return last == nil || !last.Before(clock.DayOf(now, loc))
}
