package content

import (
	"servery/internal/money"
	"servery/internal/site"
)

// readBonusProgramme reads what the brand's customers get back; absent is none.
func (b *brandReader) readBonusProgramme(o *object) {
	v, ok := o.get("bonus_programme")
	if !ok {
		return
	}
	f := v.object()
	p := &site.BonusProgramme{AccrualUntil: f.day("accrual_until"), SpendUntil: f.day("spend_until")}
	if percent, ok := f.need("percent"); ok {
		p.BasisPoints = percent.basisPoints()
	}
	switch {
	case p.SpendUntil == nil:
	case p.AccrualUntil == nil:
		v.fault("spend_until needs accrual_until: bonuses would be accrued that nobody can spend")
	case p.SpendUntil.Before(*p.AccrualUntil):
		v.fault("spend_until %s is before accrual_until %s: bonuses would be accrued that nobody can spend", p.SpendUntil, p.AccrualUntil)
	}
	f.done()
	b.brand.Site.Bonus = p
}

// basisPoints reads a percentage in hundredths of a percent.
func (v value) basisPoints() int {
	const most = 100 * 100
	points, err := money.Parse(v.digits()) // which counts in hundredths too
	if err != nil || points < 1 || points > most {
		v.fault("must be a percentage from 0.01 to 100 like \"7.5\"")
		return 0
	}
	return int(points)
}

// cityBonusProgramme gives the programme of a city: the brand's, unless it is switched
// off there.
func (b *brandReader) cityBonusProgramme(o *object) *site.BonusProgramme {
	v, ok := o.get("bonus_programme")
	switch {
	case !ok:
	case !v.truth():
		return nil
	case b.brand.Site.Bonus == nil:
		v.fault("the brand has no bonus_programme that could be on here")
	}
	return b.brand.Site.Bonus
}
