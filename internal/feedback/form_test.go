package feedback_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"servery/internal/cart/carttest"
	"servery/internal/db"
	"servery/internal/db/dbtest"
	"servery/internal/fault"
	"servery/internal/feedback"
	"servery/internal/lang"
)

func TestForm_Check_reportsEachFieldOfEachKind(t *testing.T) {
	t.Parallel()
	h := carttest.New(t, dbtest.Open(t, db.SQLite))
	brand := h.Visitor(t, "sushi").Site
	for kind, want := range map[feedback.Kind][]string{
		feedback.Question:      {"email", "is_agreed", "message", "name", "phone"},
		feedback.CallMeBack:    {"is_agreed", "name", "phone"},
		feedback.Landlord:      {"city_name", "is_agreed", "name", "phone", "shop"},
		feedback.Supplier:      {"city_name", "company", "is_agreed", "name", "phone", "product_category"},
		feedback.ReturnRequest: {"is_agreed", "message", "name", "phone"},
	} {
		for _, cityID := range []int64{0, carttest.Moscow} {
			_, err := feedback.Form{Kind: kind, CityID: cityID, Name: " "}.Check(brand)
			f, ok := fault.Of(err)
			if !ok || f.Message.Key != "feedback.check" || !slices.Equal(slices.Sorted(maps.Keys(f.Fields)), want) {
				t.Errorf("%s: %v", kind, err)
			}
		}
	}
	wrong := question("hello")
	wrong.Fields.Email, wrong.Phone = "anna@", "12"
	if _, err := wrong.Check(brand); err == nil || !strings.Contains(fault.KeyOf(err), "feedback.check") {
		t.Errorf("wrong values: %v", err)
	}
	unknown := question("hello")
	unknown.CityID = 77
	if _, err := unknown.Check(brand); fault.KeyOf(err) != "cart.unknown_city" {
		t.Errorf("an unknown city: %v", err)
	}
	got, err := question("hello").Check(brand)
	if err != nil || got.Phone != "79161234567" || got.Name != "Anna" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestForm_Summary_hasALineForEachFilledField(t *testing.T) {
	t.Parallel()
	h := carttest.New(t, dbtest.Open(t, db.SQLite))
	brand := h.Visitor(t, "sushi").Site
	f := feedback.Form{
		Kind: feedback.ReturnRequest, CityID: carttest.Moscow, Name: "Anna", Phone: "79161234567",
		Fields: feedback.Fields{Message: "Cold rolls", OrderID: 1234567, Wish: "exchange", Square: 45.5},
	}
	subject, text := f.Summary(brand, lang.EN)
	if !strings.HasSuffix(subject, " · Return or exchange · Anna") {
		t.Errorf("subject %q", subject)
	}
	for _, line := range []string{"Name: Anna", "Phone: +79161234567", "Order number: 1234567", "What is wanted: Exchange", "Area, m²: 45.5", "Message: Cold rolls"} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("%q is not in\n%s", line, text)
		}
	}
	if strings.Contains(text, "E-mail") || strings.Contains(text, "feedback.") {
		t.Errorf("an empty field or a bare key in\n%s", text)
	}
}

func TestSubmit_storesAFormThatArrivesTwiceOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, nil)
		v := k.Visitor(t, "sushi")
		send := func(key string, f feedback.Form) {
			if err := k.submit(t, v, key, f); err != nil {
				t.Error(err)
			}
		}
		send("key-of-a-form-1", question("hello"))
		send("key-of-a-form-1", question("hello"))
		send("", question("hello"))
		k.Clock.Advance(time.Hour)
		send("key-of-a-form-1", question("hello"))
		if got := k.listForms(t); len(got) != 1 {
			t.Fatalf("stored: %+v", got)
		}
		send("key-of-a-form-2", question("hello"))
		send("key-of-a-form-3", question("another"))
		got := k.listForms(t)
		if len(got) != 3 || got[0].Fields.Message != "another" || got[2].State != "none" || got[2].Site != "sushi" || got[2].CreatedAt.After(got[1].CreatedAt) {
			t.Errorf("stored: %+v", got)
		}
	})
}

func TestSubmit_boundsTheFormsOfASessionAndOfAPhone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, nil)
		v := k.Visitor(t, "sushi")
		isRefused := func(f feedback.Form) bool {
			err := k.submit(t, v, "", f)
			if err != nil && fault.CodeOf(err) != fault.TooMany {
				t.Fatal(err)
			}
			return err != nil
		}
		for _, text := range []string{"a", "b", "c"} {
			if isRefused(question(text)) {
				t.Fatalf("%s is refused", text)
			}
		}
		if !isRefused(question("d")) {
			t.Error("a fourth form of a session is taken")
		}
		v = k.Visitor(t, "sushi")
		if isRefused(question("d")) || isRefused(question("e")) {
			t.Error("another session is refused")
		}
		v = k.Visitor(t, "sushi")
		if !isRefused(question("f")) {
			t.Error("a sixth form of a phone is taken")
		}
		k.Clock.Advance(61 * time.Minute)
		if isRefused(question("f")) {
			t.Error("an hour later it is refused")
		}
	})
}

func TestList_returnsPagesOfOneSiteAndKind(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, nil)
		for _, text := range []string{"a", "b", "c"} {
			if err := k.submit(t, k.Visitor(t, "sushi"), "", question(text)); err != nil {
				t.Fatal(err)
			}
		}
		first, next, err := k.List(t.Context(), feedback.Filter{Site: "sushi", Kind: feedback.Question, Limit: 2})
		if err != nil || len(first) != 2 || first[0].Fields.Message != "c" || next != first[1].ID {
			t.Fatalf("%+v, %d, %v", first, next, err)
		}
		second, next, err := k.List(t.Context(), feedback.Filter{Site: "sushi", Before: next, Limit: 2})
		if err != nil || len(second) != 1 || second[0].Fields.Message != "a" || next != 0 {
			t.Errorf("%+v, %d, %v", second, next, err)
		}
		for _, f := range []feedback.Filter{{Site: "pizza", Limit: 2}, {Kind: feedback.Supplier, Limit: 2}} {
			if page, _, err := k.List(t.Context(), f); err != nil || len(page) != 0 {
				t.Errorf("%+v: %+v, %v", f, page, err)
			}
		}
	})
}

func TestErase_deletesWhatAPhoneAndACustomerSent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d, nil)
		v := k.Visitor(t, "sushi")
		v.CustomerID = 7
		other := question("of the customer, for another phone")
		other.Phone = "+79161234568"
		for _, f := range []feedback.Form{question("of the phone"), other} {
			if err := k.submit(t, v, "", f); err != nil {
				t.Fatal(err)
			}
		}
		v.CustomerID = 8
		other.Fields.Message = "of somebody else"
		if err := k.submit(t, v, "", other); err != nil {
			t.Fatal(err)
		}
		if got, err := k.ListForms(t.Context(), "sushi", 7, "79161234567"); err != nil || len(got) != 2 {
			t.Errorf("%+v, %v", got, err)
		}
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return k.Erase(t.Context(), tx, "sushi", 7, "79161234567") }); err != nil {
			t.Fatal(err)
		}
		if got := k.listForms(t); len(got) != 1 || got[0].Fields.Message != "of somebody else" {
			t.Errorf("left: %+v", got)
		}
		if err := k.Sweep(t.Context(), k.Clock.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if got := k.listForms(t); len(got) != 0 {
			t.Errorf("after its term: %+v", got)
		}
	})
}
