package access_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"servery/internal/access"
	"servery/internal/audit"
	"servery/internal/clock"
	"servery/internal/db"
	"servery/internal/db/dbtest"
)

var evening = time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)

// newTillToken returns a token that can be stored.
func newTillToken() access.Token {
	return access.Token{
		Name: "till-1", Scope: access.Scope{Site: "sushi", Shops: []int64{11, 12}}, Rights: access.Rights{access.ReadOrders, access.SetStops},
		ExpiresAt: evening.Add(48 * time.Hour),
	}
}

func TestTokens_Find_returnsThePrincipalUntilTheEnd(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(evening)
		tokens := access.NewTokens(d, c)
		secret, err := tokens.Add(t.Context(), newTillToken())
		if err != nil {
			t.Fatal(err)
		}
		p, found, err := tokens.Find(t.Context(), secret)
		if err != nil || !found || p.Name != "till-1" || p.Kind != audit.Token || fmt.Sprint(p.Scope) != "{sushi [11 12]}" || fmt.Sprint(p.Rights) != "[orders.read stops.set]" {
			t.Errorf("%+v, %v, %v", p, found, err)
		}
		for _, wrong := range []string{"", "servery_", secret + "A", strings.ToLower(secret), strings.TrimPrefix(secret, "servery_")} {
			if _, found, err := tokens.Find(t.Context(), wrong); found || err != nil {
				t.Errorf("%q is accepted, %v", wrong, err)
			}
		}
		c.Advance(48 * time.Hour)
		if _, found, _ := tokens.Find(t.Context(), secret); found {
			t.Error("it is accepted after its end")
		}
		if valid, err := tokens.IsValid(t.Context(), p); valid || err != nil {
			t.Errorf("it is valid after its end, %v", err)
		}
	})
}

func TestTokens_List_showsTheLastUseToTheHour(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(evening)
		tokens := access.NewTokens(d, c)
		secret, err := tokens.Add(t.Context(), newTillToken())
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range []struct {
			after time.Duration
			want  time.Time
		}{{0, evening}, {59 * time.Minute, evening}, {time.Minute, evening.Add(time.Hour)}} {
			c.Advance(step.after)
			if _, _, err := tokens.Find(t.Context(), secret); err != nil {
				t.Fatal(err)
			}
			if list, err := tokens.List(t.Context()); err != nil || len(list) != 1 || !list[0].UsedAt.Equal(step.want) {
				t.Errorf("%v, %v; want used at %s", list, err, step.want)
			}
		}
	})
}

func TestTokens_Add_refusesWhatCannotBeAToken(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(evening)
		tokens := access.NewTokens(d, c)
		for _, wrong := range []struct {
			want   error
			change func(*access.Token)
		}{
			{access.ErrTokenName, func(t *access.Token) { t.Name = "till 1" }},
			{access.ErrTokenName, func(t *access.Token) { t.Name = access.SettingsToken }},
			{access.ErrTokenEnd, func(t *access.Token) { t.ExpiresAt = evening }},
			{access.ErrTokenEnd, func(t *access.Token) { t.ExpiresAt = evening.Add(access.MaxTokenLife + 1) }},
			{access.ErrTokenScope, func(t *access.Token) { t.Site = "" }},
			{access.ErrTokenRights, func(t *access.Token) { t.Rights = nil }},
		} {
			token := newTillToken()
			wrong.change(&token)
			if _, err := tokens.Add(t.Context(), token); !errors.Is(err, wrong.want) {
				t.Errorf("%+v: %v, want %v", token, err, wrong.want)
			}
		}
		if _, err := tokens.Add(t.Context(), newTillToken()); err != nil {
			t.Fatal(err)
		}
		if _, err := tokens.Add(t.Context(), newTillToken()); !errors.Is(err, access.ErrTokenExists) {
			t.Errorf("the same name again: %v", err)
		}
		if err := tokens.Revoke(t.Context(), "till-2"); !errors.Is(err, access.ErrNoToken) {
			t.Errorf("revoking an unknown one: %v", err)
		}
		if err := tokens.Revoke(t.Context(), "till-1"); err != nil {
			t.Fatal(err)
		}
		if _, err := tokens.Add(t.Context(), newTillToken()); err != nil {
			t.Errorf("the name of a revoked one: %v", err)
		}
		c.Advance(48 * time.Hour)
		next := newTillToken()
		next.ExpiresAt = c.Now().Add(time.Hour)
		if _, err := tokens.Add(t.Context(), next); err != nil {
			t.Errorf("the name of one that is over: %v", err)
		}
	})
}

func TestTokens_Sweep_deletesThemAYearAfterTheirEnd(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := clock.NewFake(evening)
		tokens := access.NewTokens(d, c)
		if _, err := tokens.Add(t.Context(), newTillToken()); err != nil {
			t.Fatal(err)
		}
		for _, want := range []int{1, 0} {
			c.Advance(366 * 24 * time.Hour)
			if err := tokens.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if list, err := tokens.List(t.Context()); err != nil || len(list) != want {
				t.Errorf("%v are left, %v, want %d", list, err, want)
			}
		}
	})
}

func TestParseRights_knowsEachAndNoOther(t *testing.T) {
	t.Parallel()
	all, err := access.ParseRights(access.JoinRights(access.AllRights()))
	if err != nil || len(all) != len(access.AllRights()) {
		t.Errorf("%v, %v", all, err)
	}
	usual, err := access.ParseRights("usual")
	if err != nil || usual.Has(access.SignInCustomers) || !usual.Has(access.MakeRefunds) {
		t.Errorf("%v, %v", usual, err)
	}
	for _, wrong := range []string{"orders", "orders.read,all", "*"} {
		if rights, err := access.ParseRights(wrong); err == nil {
			t.Errorf("%s is %v", wrong, rights)
		}
	}
	if shops, err := access.ParseShops("11, 12"); err != nil || fmt.Sprint(shops) != "[11 12]" {
		t.Errorf("%v, %v", shops, err)
	}
	for _, wrong := range []string{"eleven", "0", "-1", "11;12"} {
		if shops, err := access.ParseShops(wrong); err == nil {
			t.Errorf("%s is %v", wrong, shops)
		}
	}
}

func TestScope_holdsNothingOfAnotherBrandOrShop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		scope access.Scope
		site  string
		shop  int64
		want  bool
	}{
		{access.Scope{}, "sushi", 0, true},
		{access.Scope{Site: "sushi"}, "sushi", 12, true},
		{access.Scope{Site: "sushi"}, "pizza", 12, false},
		{access.Scope{Site: "sushi", Shops: []int64{11}}, "sushi", 11, true},
		{access.Scope{Site: "sushi", Shops: []int64{11}}, "sushi", 12, false},
		{access.Scope{Site: "sushi", Shops: []int64{11}}, "sushi", 0, false},
		{access.Scope{Site: "sushi", Shops: []int64{11}}, "pizza", 11, false},
	} {
		if got := c.scope.HasShop(c.site, c.shop); got != c.want {
			t.Errorf("%v has shop %d of %s: %v", c.scope, c.shop, c.site, got)
		}
	}
	if p := access.From(t.Context()); p.May(access.ReadOrders) || len(p.Rights) != 0 {
		t.Errorf("nobody is %+v", p)
	}
}
