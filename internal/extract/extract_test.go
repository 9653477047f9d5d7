package extract_test

import (
	"bytes"
	"testing"

	"servery/internal/extract"
	"servery/internal/extract/pbftest"
	"servery/internal/geo"
	"servery/internal/lang"
)

// tags is short for the tags of an element.
type tags = map[string]string

// kazan is a city of two streets: one drawn and with names, of which one house is a point, one an
// outline and one a relation; another that only its houses name, far apart in two places.
func kazan() []byte {
	nodes := []pbftest.Node{
		{ID: 1, Latitude: 55.7950, Longitude: 49.1090, Tags: tags{"addr:street": "улица Баумана", "addr:housenumber": "12 к2", "addr:postcode": "420111"}},
		{ID: 2, Latitude: 55.7960, Longitude: 49.1100},
		{ID: 3, Latitude: 55.7960, Longitude: 49.1102},
		{ID: 4, Latitude: 55.7962, Longitude: 49.1102},
		{ID: 5, Latitude: 55.7962, Longitude: 49.1100},
		{ID: 6, Latitude: 55.7970, Longitude: 49.1110},
		{ID: 7, Latitude: 55.7972, Longitude: 49.1110},
		{ID: 8, Latitude: 55.7955, Longitude: 49.1095},
		{ID: 9, Latitude: 55.7900, Longitude: 49.1200, Tags: tags{"place": "suburb", "name": "Вахитовский", "name:en": "Vakhitovsky"}},
		{ID: 10, Latitude: 55.8000, Longitude: 49.1500, Tags: tags{"addr:street": "Садовая улица", "addr:housenumber": "1", "addr:city": "Казань"}},
		{ID: 11, Latitude: 55.7000, Longitude: 49.0000, Tags: tags{"addr:street": "Садовая улица", "addr:housenumber": "1"}},
		{ID: 12, Latitude: 55.7000, Longitude: 49.0100, Tags: tags{"addr:street": "Садовая улица", "addr:housenumber": "3", "addr:city": "Осиново"}},
		{ID: 13, Latitude: 53.2000, Longitude: 50.1000, Tags: tags{"addr:street": "улица Баумана", "addr:housenumber": "7"}}, // in Samara
	}
	return pbftest.Write(nodes, []pbftest.Way{
		{ID: 20, Nodes: []int64{2, 3, 4, 5, 2}, Tags: tags{"building": "yes", "addr:street": "улица Баумана", "addr:housenumber": "14"}},
		{ID: 21, Nodes: []int64{6, 7, 6}},
		{ID: 22, Nodes: []int64{1, 8, 6}, Tags: tags{"highway": "pedestrian", "name": "улица Баумана", "name:en": "Bauman Street"}},
		{ID: 23, Nodes: []int64{2, 3}, Tags: tags{"highway": "service"}},
	}, []pbftest.Relation{
		{ID: 30, Ways: []int64{21}, Roles: []string{"outer"}, Tags: tags{"type": "multipolygon", "addr:street": "улица Баумана", "addr:housenumber": "16"}},
	})
}

// read returns the streets of the city.
func read(t *testing.T) []geo.RegisterStreet {
	t.Helper()
	streets, err := extract.Read(t.Context(), bytes.NewReader(kazan()), extract.Options{
		City: lang.Text{lang.RU: "Казань"}, Language: lang.RU, Bounds: geo.Bounds{South: 55.6, West: 48.8, North: 55.9, East: 49.4},
	})
	if err != nil {
		t.Fatal(err)
	}
	return streets
}

func TestRead_findsHousesThatArePointsOutlinesAndRelations(t *testing.T) {
	t.Parallel()
	for _, s := range read(t) {
		if s.Name[lang.RU] != "улица Баумана" {
			continue
		}
		if s.Name[lang.EN] != "Bauman Street" || s.District[lang.EN] != "Vakhitovsky" {
			t.Errorf("%v in %v", s.Name, s.District)
		}
		want := map[string]geo.Point{"12 к2": {Latitude: 55.795, Longitude: 49.109}, "14": {Latitude: 55.7961, Longitude: 49.1101}, "16": {Latitude: 55.7971, Longitude: 49.111}}
		if len(s.Houses) != len(want) {
			t.Errorf("houses %+v", s.Houses)
		}
		for _, h := range s.Houses {
			if geo.DistanceMetres(h.Point, want[h.Number]) > 1 {
				t.Errorf("house %s at %v", h.Number, h.Point)
			}
		}
		return
	}
	t.Error("no street")
}

func TestRead_keepsStreetsOfOneNameApart(t *testing.T) {
	t.Parallel()
	count, inVillage := 0, 0
	for _, s := range read(t) {
		if s.Name[lang.RU] == "Садовая улица" {
			count++
			if s.District[lang.RU] == "Осиново" {
				inVillage++
			}
		}
	}
	if count != 3 || inVillage != 1 {
		t.Errorf("%d streets, %d in the village", count, inVillage)
	}
}

func TestRead_findsByTheLocalIndexWhatItHasRead(t *testing.T) {
	t.Parallel()
	streets, err := geo.DecodeRegister(geo.EncodeRegister(read(t)))
	if err != nil {
		t.Fatal(err)
	}
	local := geo.NewLocal(func(int64) (geo.Place, bool) {
		return geo.Place{Name: lang.Text{lang.RU: "Казань"}, Streets: streets}, true
	})
	for _, text := range []string{"Баумана 12к2", "ul. Baumana, 12 k2", "бауманна 12 корп. 2", "Bauman 12 k. 2", "ulitsa baumana 12k2"} {
		if got, err := local.Find(t.Context(), 2, text, lang.RU); err != nil || got.FullAddress != "Казань, улица Баумана, 12к2" {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
}

func TestRead_refusesWhatIsNoExtract(t *testing.T) {
	t.Parallel()
	for _, data := range [][]byte{[]byte("<osm/>"), kazan()[:200], nil} {
		streets, err := extract.Read(t.Context(), bytes.NewReader(data), extract.Options{Language: lang.RU})
		if err == nil && len(streets) > 0 {
			t.Errorf("%d streets of %d bytes", len(streets), len(data))
		}
	}
}

func TestLanguageOf_isThatOfTheCountry(t *testing.T) {
	t.Parallel()
	for country, want := range map[string]lang.Lang{"RU": lang.RU, "TR": lang.TR, "US": lang.EN} {
		if got := extract.LanguageOf(country); got != want {
			t.Errorf("%s has %s", country, got)
		}
	}
}
