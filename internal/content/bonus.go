package content

import (
	"servery/internal/clock"
	"servery/internal/money"
	"servery/internal/site"
)

// bonusFields is the bonus programme of a brand.
type bonusFields struct {
	// What customers get back of what they paid for products; one bonus is one currency unit
	Percent percentValue `field:"percent,required"`
	// The last day on which bonuses are accrued; absent is for ever
	AccrualUntil *clock.Day `field:"accrual_until"`
	// The last day on which they can be spent; absent is for ever
	SpendUntil *clock.Day `field:"spend_until" with:"accrual_until: bonuses would be accrued that cannot be spent"`
}

// readBonusProgramme reads the bonus programme of the brand. An absent mapping sets none.
func (b *brandReader) readBonusProgramme(v mappingOf[bonusFields]) {
	if v.isNull() {
		return
	}
	f, _ := v.readMapping()
	p := &site.BonusProgramme{AccrualUntil: f.AccrualUntil, SpendUntil: f.SpendUntil}
	if !f.Percent.isNull() {
		p.BasisPoints = f.Percent.readBasisPoints()
	}
	if p.SpendUntil != nil && p.AccrualUntil != nil && p.SpendUntil.Before(*p.AccrualUntil) {
		v.addFault("spend_until %s is before accrual_until %s: bonuses would be accrued that cannot be spent", p.SpendUntil, p.AccrualUntil)
	}
	b.brand.Site.Bonus = p
}

// readBasisPoints reads a percentage in hundredths of a percent.
func (v percentValue) readBasisPoints() int {
	const most = 100 * 100
	points, err := money.Parse(v.asWritten()) // money counts in hundredths too
	if err != nil || points < 1 || points > most {
		v.addFault("must be a percentage from 0.01 to 100 like \"7.5\"")
		return 0
	}
	return int(points)
}

// cityBonusProgramme returns the programme of a city: the brand's, unless it is switched off there. It
// adds a fault where it is switched on and the brand has none.
func (b *brandReader) cityBonusProgramme(v switchValue) *site.BonusProgramme {
	switch {
	case v.isNull():
	case !v.toBool():
		return nil
	case b.brand.Site.Bonus == nil:
		v.addFault("the brand has no bonus_programme that could be on here")
	}
	return b.brand.Site.Bonus
}
