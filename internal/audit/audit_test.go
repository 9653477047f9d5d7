package audit_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"servery/internal/audit"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

var evening = time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)

func TestRecord_keepsWhatDiffers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		origin := audit.Origin{Kind: audit.Staff, Name: "anna", Person: "Anna", Call: "POST /x"}
		entry := audit.Entry{
			Site: "sushi", ShopID: 7, Subject: "order", ID: "1",
			Before: audit.Fields{"status": "accepted", "total": 5, "gone": true}, After: audit.Fields{"status": "cooking", "total": 5, "new": true},
		}
		err := d.InTx(t.Context(), func(tx *db.Tx) error { return audit.Record(audit.With(t.Context(), origin), tx, entry, evening) })
		if err != nil {
			t.Fatal(err)
		}
		page, next, err := audit.NewLog(d).List(t.Context(), audit.Filter{Limit: 10})
		if err != nil || next != 0 || len(page) != 1 {
			t.Fatal(page, next, err)
		}
		got := page[0]
		if got.Origin != origin || got.Site != "sushi" || got.ShopID != 7 || got.Subject != "order" || got.Entry.ID != "1" || !got.At.Equal(evening) {
			t.Errorf("stored as %+v", got)
		}
		if was, is := fmt.Sprint(got.Before), fmt.Sprint(got.After); was != "map[gone:true status:accepted]" || is != "map[new:true status:cooking]" {
			t.Errorf("from %s to %s", was, is)
		}
	})
}

func TestRecord_goesWithTheTransaction(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		failed := errors.New("no dough")
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			if err := audit.Record(t.Context(), tx, audit.Entry{Subject: "order", ID: "1"}, evening); err != nil {
				return err
			}
			return failed
		})
		if !errors.Is(err, failed) {
			t.Fatal(err)
		}
		if page, _, err := audit.NewLog(d).List(t.Context(), audit.Filter{Limit: 10}); err != nil || len(page) != 0 {
			t.Errorf("%v is left, %v", page, err)
		}
	})
}

func TestFrom_isTheProgramWhereNobodyIsNamed(t *testing.T) {
	t.Parallel()
	if o := audit.From(t.Context()); o.Kind != audit.Program || o.Who() != "" {
		t.Errorf("%+v", o)
	}
	if o := (audit.Origin{Name: "till", Person: "Anna"}); o.Who() != "Anna" || (audit.Origin{Name: "till"}).Who() != "till" {
		t.Errorf("%+v is %s", o, o.Who())
	}
}

func TestSweep_deletesWhatIsOverItsTerm(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, at := range []time.Time{evening, evening.Add(time.Hour)} {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				return audit.Record(t.Context(), tx, audit.Entry{Subject: "order", ID: at.Format(time.Kitchen)}, at)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		log := audit.NewLog(d)
		if err := log.Sweep(t.Context(), evening.Add(audit.Term+time.Minute)); err != nil {
			t.Fatal(err)
		}
		if page, _, err := log.List(t.Context(), audit.Filter{Limit: 10}); err != nil || len(page) != 1 || page[0].Entry.ID != "7:00PM" {
			t.Errorf("%v is left, %v", page, err)
		}
	})
}
