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

// IsAccruing reports whether bonuses are accrued at the instant. It is false without a
// programme.
func (p *BonusProgramme) IsAccruing(now time.Time, loc *time.Location) bool {
	return p != nil && p.BasisPoints > 0 && isNotPast(p.AccrualUntil, now, loc)
}

// IsSpendable reports whether bonuses can be spent at the instant. It is false without
// a programme.
func (p *BonusProgramme) IsSpendable(now time.Time, loc *time.Location) bool {
	return p != nil && isNotPast(p.SpendUntil, now, loc)
}

// isNotPast reports whether the date of the instant is not after last; nil is no bound.
func isNotPast(last *clock.Day, now time.Time, loc *time.Location) bool {
	return last == nil || !last.Before(clock.DayOf(now, loc))
}
