package main

import (
	"os"
	"strings"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

func TestLimit_runsTheStatementOfTheCart(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../internal/cart/carts/store.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(source), postgresSave) {
		t.Error("internal/cart saves by another statement now: let the limit run that")
	}
}

func TestLimit_changesItsCartEachTime(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, run := range []transact{ownCommit(d), d.InTx} {
			steps, err := bareChanges(t.Context(), d, 2, 600, run)
			if err != nil {
				t.Fatal(err)
			}
			for _, do := range []step{steps[0], steps[1], steps[0]} {
				if err := do(); err != nil {
					t.Fatal(err)
				}
			}
		}
		var versions, keys int
		err := d.Reader().QueryRowContext(t.Context(), `SELECT (SELECT SUM(version) FROM cart), (SELECT COUNT(*) FROM idempotency)`).Scan(&versions, &keys)
		if err != nil || versions != 10 || keys != 6 {
			t.Errorf("versions %d, keys %d, %v", versions, keys, err)
		}
	})
}
