package geo

import (
	"slices"
	"testing"

	"servery/internal/lang"
)

// registered are streets of a register: one of two languages, and one that shares its name.
func registered() []RegisterStreet {
	house := func(number, postcode string, latitude, longitude float64) RegisterHouse {
		return RegisterHouse{Number: number, Postcode: postcode, Point: Point{latitude, longitude}}
	}
	return []RegisterStreet{
		{
			Name: lang.Text{lang.RU: "улица Ленина", lang.EN: "Lenin Street"}, District: lang.Text{lang.RU: "Центр"}, Point: Point{55.79, 49.11},
			Houses: []RegisterHouse{
				house("120", "420111", 55.79, 49.12), house("12 корп. 2", "420111", 55.7902, 49.111), house("12", "", 55.79, 49.11), house("12", "", 55.7, 49.1),
				house("12А", "", 55.7901, 49.1102), house("3/5", "", 55.789, 49.109),
			},
		},
		{Name: lang.Text{lang.RU: "улица Ленина"}, District: lang.Text{lang.RU: "Осиново"}, Point: Point{55.87, 48.88}, Houses: []RegisterHouse{house("1", "", 55.87, 48.88)}},
		{Name: lang.Text{lang.DE: "Hauptstraße"}, Point: Point{52.48, 13.35}, Houses: []RegisterHouse{house("5a", "10827", 52.48, 13.35)}},
		{Name: lang.Text{lang.RU: "Пустой переулок"}, Point: Point{55.80, 49.20}},
	}
}

// newRegistered returns a geocoder over the streets of the register.
func newRegistered(t *testing.T) *Local {
	t.Helper()
	streets, err := DecodeRegister(EncodeRegister(registered()))
	if err != nil {
		t.Fatal(err)
	}
	return NewLocal(func(int64) (Place, bool) {
		return Place{Name: lang.Text{lang.RU: "Казань", lang.DE: "Berlin"}, Streets: streets}, true
	})
}

func TestLocal_Find_findsTheHousesOfARegister(t *testing.T) {
	t.Parallel()
	local := newRegistered(t)
	for text, want := range map[string]Answer{
		"Ленина 12":               {Precision: AtHouse, House: "12", Point: Point{55.79, 49.11}},
		"ul. Lenina, 12 k2":       {Precision: AtHouse, House: "12к2", Point: Point{55.7902, 49.111}},
		"ленина 12a":              {Precision: AtHouse, House: "12а", Point: Point{55.7901, 49.1102}},
		"ulitsa lennina 3/5":      {Precision: AtHouse, House: "3/5", Point: Point{55.789, 49.109}},
		"Ленина 13":               {Precision: AtStreet, Point: Point{55.79, 49.11}},
		"Ленина 1":                {Precision: AtHouse, House: "1", Point: Point{55.87, 48.88}},
		"Пустой переулок 1":       {Precision: AtStreet, Point: Point{55.80, 49.20}},
		"Hauptstr. 5a":            {Precision: AtHouse, House: "5a", Point: Point{52.48, 13.35}},
		"Haupstrasse 5 a, Berlin": {Precision: AtHouse, House: "5a", Point: Point{52.48, 13.35}},
	} {
		got, err := local.Find(t.Context(), 1, text, lang.RU)
		if err != nil || got.Precision != want.Precision || got.House != want.House || DistanceMetres(got.Point, want.Point) > 1 {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
	if got, _ := local.Find(t.Context(), 1, "Hauptstraße 5a", lang.DE); got.FullAddress != "Hauptstraße 5a, 10827 Berlin" {
		t.Errorf("in German it is %s", got.FullAddress)
	}
}

func TestLocal_Suggest_suggestsTheHousesOfARegister(t *testing.T) {
	t.Parallel()
	local := newRegistered(t)
	titles := func(text string) []string {
		t.Helper()
		found, err := local.Suggest(t.Context(), 1, text, lang.RU)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, s := range found {
			all = append(all, s.Title+" ("+s.Subtitle+")")
		}
		return all
	}
	if got, want := titles("лен"), []string{"улица Ленина (Центр, Казань)", "улица Ленина (Осиново, Казань)"}; !slices.Equal(got, want) {
		t.Errorf("suggested %q", got)
	}
	want := []string{"улица Ленина, 12 (Центр, Казань)", "улица Ленина, 12а (Центр, Казань)", "улица Ленина, 12к2 (Центр, Казань)", "улица Ленина, 120 (Центр, Казань)"}
	if got := titles("lenina 12"); !slices.Equal(got, want) {
		t.Errorf("suggested %q", got)
	}
}

func TestLocal_At_findsTheNearestHouseOfARegister(t *testing.T) {
	t.Parallel()
	local := newRegistered(t)
	for _, c := range []struct {
		at        Point
		precision Precision
		house     string
	}{
		{Point{55.79015, 49.1103}, AtHouse, "12а"},
		{Point{55.7925, 49.111}, AtStreet, ""},
		{Point{55.8002, 49.2001}, AtStreet, ""}, // the street has no houses
		{Point{55.60, 49.40}, AtPoint, ""},
	} {
		if got, err := local.At(t.Context(), 1, c.at, lang.RU); err != nil || got.Precision != c.precision || got.House != c.house || got.Point != c.at {
			t.Errorf("%v is %+v, %v", c.at, got, err)
		}
	}
}

func TestAnswer_Pinned_isWhatWasTypedAtThePoint(t *testing.T) {
	t.Parallel()
	near := Answer{Precision: AtHouse, Address: "улица Ленина, 12", FullAddress: "Казань, улица Ленина, 12", Locality: "Казань", House: "12", Point: Point{55.79, 49.11}}
	got := near.Pinned("Ленина 13", lang.RU)
	if got.Precision != AtPoint || got.FullAddress != "Казань, Ленина 13" || got.House != "13" || got.Point != near.Point {
		t.Errorf("another house is %+v", got)
	}
	if got := near.Pinned("Ленина, д. 12", lang.RU); got != near {
		t.Errorf("the same house is %+v", got)
	}
	if got := near.Pinned("Ленина", lang.RU); got != near {
		t.Errorf("a street is %+v", got)
	}
}

func TestDecodeRegister_refusesWhatIsNoRegister(t *testing.T) {
	t.Parallel()
	whole := EncodeRegister(registered())
	for length := range whole {
		if _, err := DecodeRegister(whole[:length]); err == nil {
			t.Errorf("%d of %d bytes are taken", length, len(whole))
		}
	}
	if _, err := DecodeRegister(append(slices.Clone(whole), 0)); err == nil {
		t.Error("a byte more is taken")
	}
	if _, err := DecodeRegister([]byte("servery addresses 2\n\x00\x00")); err == nil {
		t.Error("another version is taken")
	}
}

func FuzzDecodeRegister(f *testing.F) {
	f.Add(EncodeRegister(registered()))
	f.Fuzz(func(t *testing.T, data []byte) {
		streets, err := DecodeRegister(data)
		if err != nil {
			return
		}
		local := NewLocal(func(int64) (Place, bool) { return Place{Streets: streets}, true })
		for _, text := range []string{"ле 1", "hauptstrasse 5"} {
			if _, err := local.Suggest(t.Context(), 1, text, lang.RU); err != nil {
				t.Fatal(err)
			}
		}
	})
}
