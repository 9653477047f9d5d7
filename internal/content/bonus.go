package content

import (
	"servery/internal/money"
	"servery/internal/site"
)

// readBonusProgramme reads the bonus programme of the brand; absent is none.
func (b *brandReader) readBonusProgramme(o *object) {
	v, ok := o.optional("bonus_programme")
	if !ok {
		return
	}
	f := v.toObject()
	p := &site.BonusProgramme{AccrualUntil: f.readDay("accrual_until"), SpendUntil: f.readDay("spend_until")}
	if percent, ok := f.required("percent"); ok {
		p.BasisPoints = percent.readBasisPoints()
	}
	switch {
	case p.SpendUntil == nil:
	case p.AccrualUntil == nil:
		v.addFault("spend_until needs accrual_until: bonuses would be accrued that cannot be spent")
	case p.SpendUntil.Before(*p.AccrualUntil):
		v.addFault("spend_until %s is before accrual_until %s: bonuses would be accrued that cannot be spent", p.SpendUntil, p.AccrualUntil)
	}
	f.checkFields()
	b.brand.Site.Bonus = p
}

// readBasisPoints reads a percentage in hundredths of a percent.
func (v value) readBasisPoints() int {
	const most = 100 * 100
	points, err := money.Parse(v.toDigits()) // which counts in hundredths too
	if err != nil || points < 1 || points > most {
		v.addFault("must be a percentage from 0.01 to 100 like \"7.5\"")
		return 0
	}
	return int(points)
}

// cityBonusProgramme returns the programme of a city: the brand's, unless it is switched off there.
func (b *brandReader) cityBonusProgramme(o *object) *site.BonusProgramme {
	v, ok := o.optional("bonus_programme")
	switch {
	case !ok:
	case !v.toBool():
		return nil
	case b.brand.Site.Bonus == nil:
		v.addFault("the brand has no bonus_programme that could be on here")
	}
	return b.brand.Site.Bonus
}
