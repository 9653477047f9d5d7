package kitchen

import (
	"cmp"
	"context"
	"maps"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"servery/internal/audit"
	"servery/internal/catalog"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/live"
	"servery/internal/site"
)

// maxAlert is how many characters an alert has at most, in each language.
const maxAlert = 500

// AlertChange is a request to set or remove the alert of a city or a shop.
type AlertChange struct {
	live.AlertEntry

	// Remove makes the alert of content be shown again. It is no error when no alert is set.
	Remove bool
}

// SetAlert sets or removes the alert of a city or a shop, and returns the alerts of the site that are in
// force afterwards. It writes a change to the audit log. Faults: catalog.unknown_site,
// catalog.unknown_shop and alert.unknown_city (NotFound);
// alert.city_or_shop at city_id, alert.language, alert.own_language and alert.text at texts,
// kitchen.until_past at until (Invalid). An alert of an unknown city or shop can be removed while it is set.
func (s *Service) SetAlert(ctx context.Context, change AlertChange) ([]live.AlertEntry, error) {
	entry := change.AlertEntry
	entry.At, entry.Until = s.clock.Now(), clock.Cut(entry.Until)
	snapshot := s.catalog.Current()
	brand, err := snapshot.FindBrand(entry.Site, catalog.NoShop)
	if err != nil {
		return nil, err
	}
	if (entry.CityID == 0) == (entry.ShopID == 0) {
		return nil, refuse("city_id", "alert.city_or_shop")
	}
	placeErr := checkPlace(snapshot, brand, entry)
	if !change.Remove {
		if placeErr != nil {
			return nil, placeErr
		}
		if entry.Text, err = cleanAlert(entry.Text, brand); err != nil {
			return nil, err
		}
		if !live.IsInForce(entry.Until, entry.At) {
			return nil, refuse("until", "kitchen.until_past")
		}
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		before, isSet, err := live.FindAlert(ctx, tx, entry, entry.At)
		switch {
		case err != nil:
			return err
		case change.Remove && !isSet:
			return placeErr
		case !change.Remove && isSet && isSameAlert(before, entry): // nothing changes
			return nil
		}
		if err := live.SaveAlert(ctx, tx, entry, change.Remove); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Site: entry.Site, ShopID: entry.ShopID, Subject: "alert", ID: strconv.FormatInt(cmp.Or(entry.ShopID, entry.CityID), 10),
			Before: alertFields(before, isSet), After: alertFields(entry, !change.Remove),
		}, entry.At)
	})
	if err != nil {
		return nil, err
	}
	if _, err := s.catalog.Refresh(ctx); err != nil {
		return nil, err
	}
	return s.Alerts(entry.Site)
}

// Alerts returns the alerts that are set on a site and in force. It returns catalog.unknown_site
// (NotFound) for an unknown site.
func (s *Service) Alerts(siteAlias string) ([]live.AlertEntry, error) {
	snapshot, now := s.catalog.Current(), s.clock.Now()
	brand, err := snapshot.FindBrand(siteAlias, catalog.NoShop)
	if err != nil {
		return nil, err
	}
	inForce := []live.AlertEntry{}
	for _, e := range snapshot.Live(brand).Alerts {
		if live.IsInForce(e.Until, now) {
			inForce = append(inForce, e)
		}
	}
	return inForce, nil
}

// checkPlace returns the fault of an alert whose city or shop the brand lacks, as [Service.SetAlert] lists them; nil
// when the brand has it.
func checkPlace(snapshot *catalog.Snapshot, brand *site.Site, e live.AlertEntry) error {
	if _, ok := brand.City(e.CityID); !ok && e.CityID != 0 {
		return fault.New(fault.NotFound, "alert.unknown_city", fault.Field("city_id", "alert.unknown_city"))
	}
	_, err := snapshot.FindBrand(e.Site, e.ShopID)
	return err
}

// cleanAlert returns the text without space around it in each language. Faults, all Invalid:
// alert.language for an unknown language; alert.text for a text that is empty, too long or has control
// characters; alert.own_language when the language of the brand's texts is missing.
func cleanAlert(text lang.Text, brand *site.Site) (lang.Text, error) {
	clean := lang.Text{}
	for tag, translation := range text {
		if _, ok := lang.ParseTag(string(tag)); !ok {
			return nil, refuse("texts", "alert.language")
		}
		translation = strings.TrimSpace(translation)
		if translation == "" || utf8.RuneCountInString(translation) > maxAlert || !utf8.ValidString(translation) || strings.ContainsFunc(translation, unicode.IsControl) {
			args := fault.Args{"max": maxAlert}
			return nil, fault.New(fault.Invalid, "alert.text", fault.With(args), fault.Field("texts", "alert.text", args))
		}
		clean[tag] = translation
	}
	if clean[brand.TextLanguage()] == "" {
		args := fault.Args{"language": string(brand.TextLanguage())}
		return nil, fault.New(fault.Invalid, "alert.own_language", fault.With(args), fault.Field("texts", "alert.own_language", args))
	}
	return clean, nil
}

// alertFields returns the fields of a set alert for the audit log; isSet is false when none is set.
func alertFields(e live.AlertEntry, isSet bool) audit.Fields {
	if !isSet {
		return audit.Fields{"set": false}
	}
	f := audit.Fields{"set": true, "city_id": e.CityID, "text": e.Text, "stops": e.Stops, "reason": e.Reason}
	if !e.Until.IsZero() {
		f["until"] = e.Until.UTC()
	}
	return f
}

// isSameAlert reports whether two alerts of one place are equal apart from the time they were set.
func isSameAlert(a, b live.AlertEntry) bool {
	return maps.Equal(a.Text, b.Text) && a.Stops == b.Stops && a.Until.Equal(b.Until) && a.HasOrigin(b.Origin)
}
