package site

import (
	"time"

	"servery/internal/clock"
)

// BonusProgramme is what a customer gets back in bonuses, and until when. One bonus is
// one currency unit (decisions §3).
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
	return p != nil && p.BasisPoints > 0 && reaches(p.AccrualUntil, now, loc)
}

// IsSpendable reports whether bonuses can be spent at the instant. It is false without
// a programme.
func (p *BonusProgramme) IsSpendable(now time.Time, loc *time.Location) bool {
	return p != nil && reaches(p.SpendUntil, now, loc)
}

func reaches(last *clock.Day, now time.Time, loc *time.Location) bool {
	return last == nil || !last.Before(clock.DayOf(now, loc))
}
