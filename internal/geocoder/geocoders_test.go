package geocoder_test

import (
	"log/slog"
	"testing"
	"time"

	"servery/internal/clock"
	"servery/internal/geo"
	"servery/internal/geocoder"
	"servery/internal/geocoder/double"
	"servery/internal/lang"
	"servery/internal/remote/faultinject"
)

// localStreet is the only street of the local index.
const localStreet = "Местная улица"

// localIndex returns a local index of Kazan with one street.
func localIndex() geo.Geocoder {
	streets := []geo.Street{{
		Name: lang.Text{lang.RU: localStreet}, Line: []geo.Point{{Latitude: 55.70, Longitude: 49.10}, {Latitude: 55.70, Longitude: 49.12}}, Houses: [2]int{1, 99},
	}}
	return geo.NewLocal(func(int64) (geo.Place, bool) { return geo.Place{Name: kazan().Name, Streets: streets}, true })
}

// setUp returns geocoders with a fake clock.
func setUp(t *testing.T) (*geocoder.Geocoders, *clock.Fake) {
	t.Helper()
	c := clock.NewFake(start)
	g := geocoder.New(localIndex(), slog.New(slog.DiscardHandler), c)
	return g, c
}

// always admits every call.
func always() bool { return true }

// choose returns the services of the names as choices, in order.
func choose(all map[string]service, names ...string) []geocoder.Choice {
	var choices []geocoder.Choice
	for _, name := range names {
		choices = append(choices, geocoder.Choice{Service: all[name].Service})
	}
	return choices
}

func TestGeocoders_Suggest_showsTheLocalIndexWhileAServiceFails(t *testing.T) {
	t.Parallel()
	g, c := setUp(t)
	all := services(t, c, double.Key)
	city := g.Of(choose(all, geocoder.DaDataName), kazan(), always)
	suggest := func(text string) string {
		t.Helper()
		found, err := city.Suggest(t.Context(), 2, text, lang.RU)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 {
			return ""
		}
		return found[0].Title
	}
	if got := suggest("бау"); got != "ул Баумана" {
		t.Errorf("suggested %q", got)
	}
	for _, fault := range []faultinject.Fault{faultinject.Busy, faultinject.Broken, faultinject.HTML, faultinject.CutOff} {
		all[geocoder.DaDataName].Inject(fault)
		if got := suggest("местн"); got != localStreet {
			t.Errorf("suggested %q during a fault", got)
		}
		c.Advance(time.Minute)
	}
	if got := suggest("баума"); got != "ул Баумана" {
		t.Errorf("suggested %q after the faults", got)
	}
	if got := suggest("местная 5"); got != localStreet+", 5" {
		t.Errorf("suggested %q where the service knows nothing", got)
	}
}

func TestGeocoders_Suggest_waitsForASlowServiceUnderASecond(t *testing.T) {
	t.Parallel()
	g, c := setUp(t)
	all := services(t, c, double.Key)
	city := g.Of(choose(all, geocoder.PhotonName), kazan(), always)
	all[geocoder.PhotonName].Inject(faultinject.Silent)
	for range 3 { // the service is asked once and then left alone
		if found, err := city.Suggest(t.Context(), 2, "местная", lang.RU); err != nil || len(found) != 1 || found[0].Title != localStreet {
			t.Errorf("%+v, %v", found, err)
		}
	}
	if calls := len(all[geocoder.PhotonName].Requests()); calls != 0 {
		t.Errorf("it was asked %d times more", calls)
	}
}

func TestGeocoders_leaveAFailingServiceAloneEverLonger(t *testing.T) {
	t.Parallel()
	g, c := setUp(t)
	all := services(t, c, double.Key)
	city := g.Of(choose(all, geocoder.YandexName), kazan(), always)
	yandex := all[geocoder.YandexName]
	isAsked := func() bool {
		t.Helper()
		yandex.Inject(faultinject.Busy)
		before := len(yandex.Requests())
		if _, err := city.Find(t.Context(), 2, "Баумана, 5", lang.RU); err != nil {
			t.Fatal(err)
		}
		// The planned fault is spent by a call; an unspent one is spent by the next request.
		if _, err := yandex.Find(t.Context(), kazan(), "Баумана, 5", lang.RU); err == nil {
			return len(yandex.Requests()) == before+1
		}
		return false
	}
	for i, step := range []struct {
		wait time.Duration
		want bool
	}{{0, true}, {900 * time.Millisecond, false}, {100 * time.Millisecond, true}, {time.Second, false}, {time.Second, true}, {3 * time.Second, false}, {time.Second, true}} {
		c.Advance(step.wait)
		if got := isAsked(); got != step.want {
			t.Errorf("step %d: asked %t", i, got)
		}
	}
}

func TestGeocoders_waitForMidnightInMoscowWhenTheQuotaIsUsedUp(t *testing.T) {
	t.Parallel()
	g, c := setUp(t)
	all := services(t, c, double.Key)
	city := g.Of(choose(all, geocoder.DaDataName), kazan(), always)
	all[geocoder.DaDataName].Inject(double.DaDataQuotaUsedUp)
	find := func() geo.Precision {
		t.Helper()
		got, err := city.Find(t.Context(), 2, "Баумана, 5", lang.RU)
		if err != nil {
			t.Fatal(err)
		}
		return got.Precision
	}
	if got := find(); got != geo.Unknown {
		t.Errorf("the quota is used up, and the house is found: %s", got)
	}
	c.Set(time.Date(2026, 11, 25, 20, 59, 59, 0, time.UTC))
	if got := find(); got != geo.Unknown || len(all[geocoder.DaDataName].Requests()) != 0 {
		t.Errorf("asked before midnight: %s", got)
	}
	c.Set(time.Date(2026, 11, 25, 21, 0, 0, 0, time.UTC))
	if got := find(); got != geo.AtHouse {
		t.Errorf("not asked after midnight: %s", got)
	}
}

func TestGeocoders_Find_asksTheNextServiceForAHouseThatOneLacks(t *testing.T) {
	t.Parallel()
	g, c := setUp(t)
	all := services(t, c, double.Key)
	// DaData knows of the house only the street, Photon the house.
	city := g.Of(choose(all, geocoder.DaDataName, geocoder.PhotonName), kazan(), always)
	got, err := city.Find(t.Context(), 2, "Пушкина, 9", lang.RU)
	if err != nil || got.Precision != geo.AtHouse || got.Street != "улица Пушкина" {
		t.Errorf("%+v, %v", got, err)
	}
	// Without Photon the street is what is known, also behind the local index.
	got, err = g.Of(choose(all, geocoder.DaDataName), kazan(), always).Find(t.Context(), 2, "Пушкина, 9", lang.RU)
	if err != nil || got.Precision != geo.AtStreet || got.Street != "ул Пушкина" {
		t.Errorf("%+v, %v", got, err)
	}
	// The local index finds what no service knows.
	got, err = city.Find(t.Context(), 2, localStreet+", 7", lang.RU)
	if err != nil || got.Precision != geo.AtHouse || got.Street != localStreet {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestGeocoders_Find_returnsTheTownOnlyWhenNothingBetterIsKnown(t *testing.T) {
	t.Parallel()
	g, c := setUp(t)
	all := services(t, c, double.Key)
	// Yandex knows only the town, Photon the house.
	got, err := g.Of(choose(all, geocoder.YandexName, geocoder.PhotonName), kazan(), always).Find(t.Context(), 2, "Затерянная, 1", lang.RU)
	if err != nil || got.Precision != geo.AtHouse {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = g.Of(choose(all, geocoder.YandexName), kazan(), always).Find(t.Context(), 2, "Затерянная, 1", lang.RU)
	if err != nil || got.Precision != geo.AtLocality || got.Locality != "Казань" || got.Street != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestGeocoders_At_answersAtThePoint(t *testing.T) {
	t.Parallel()
	g, c := setUp(t)
	all := services(t, c, double.Key)
	city := g.Of(choose(all, geocoder.NominatimName), kazan(), always)
	pin := geo.Point{Latitude: 55.7951, Longitude: 49.1091}
	if got, err := city.At(t.Context(), 2, pin, lang.RU); err != nil || got.House != "5" || got.Point != pin {
		t.Errorf("%+v, %v", got, err)
	}
	// The nearest house of the service is too far away to be the address of this point.
	far := geo.Point{Latitude: 55.7976, Longitude: 49.1090}
	if got, err := city.At(t.Context(), 2, far, lang.RU); err != nil || got.Precision != geo.AtPoint || got.Point != far {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestGeocoders_reuseAnAnswerForItsTerm(t *testing.T) {
	t.Parallel()
	g, c := setUp(t)
	all := services(t, c, double.Key)
	choices := choose(all, geocoder.PhotonName)
	choices[0].Term = 10 * time.Minute
	city := g.Of(choices, kazan(), always)
	for i, wantCalls := range []int{1, 1, 2} {
		if _, err := city.Suggest(t.Context(), 2, "баумана ", lang.RU); err != nil {
			t.Fatal(err)
		}
		if calls := len(all[geocoder.PhotonName].Requests()); calls != wantCalls {
			t.Errorf("time %d: %d calls", i+1, calls)
		}
		c.Advance(5 * time.Minute)
	}
}

func TestGeocoders_answerFromTheLocalIndexBeyondTheLimit(t *testing.T) {
	t.Parallel()
	g, c := setUp(t)
	all := services(t, c, double.Key)
	left := 2
	city := g.Of(choose(all, geocoder.DaDataName), kazan(), func() bool { left--; return left >= 0 })
	for _, text := range []string{"мес", "мест", "местн", "местна"} {
		if found, err := city.Suggest(t.Context(), 2, text, lang.RU); err != nil || len(found) != 1 || found[0].Title != localStreet {
			t.Errorf("%+v, %v", found, err)
		}
	}
	if calls := len(all[geocoder.DaDataName].Requests()); calls != 2 {
		t.Errorf("%d calls", calls)
	}
}

func TestGeocoders_Of_asksAServiceOnlyAboutItsCities(t *testing.T) {
	t.Parallel()
	g, c := setUp(t)
	all := services(t, c, double.Key)
	choices := choose(all, geocoder.DaDataName)
	choices[0].Cities = []string{"moscow"}
	if _, err := g.Of(choices, kazan(), always).Suggest(t.Context(), 2, "баумана", lang.RU); err != nil {
		t.Fatal(err)
	}
	if calls := len(all[geocoder.DaDataName].Requests()); calls != 0 {
		t.Errorf("%d calls", calls)
	}
}

func TestGeocoders_Suggest_leavesShortTextsToTheLocalIndex(t *testing.T) {
	t.Parallel()
	g, c := setUp(t)
	all := services(t, c, double.Key)
	found, err := g.Of(choose(all, geocoder.PhotonName), kazan(), always).Suggest(t.Context(), 2, "ме", lang.RU)
	if err != nil || len(found) != 1 || len(all[geocoder.PhotonName].Requests()) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}
