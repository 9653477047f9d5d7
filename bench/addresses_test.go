package bench

import (
	"bytes"
	"context"
	"database/sql"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the index that the local one is compared with

	"servery/internal/extract"
	"servery/internal/extract/pbftest"
	"servery/internal/geo"
	"servery/internal/lang"
)

// The city of the benchmark has 6,250 streets of 40 houses.
const (
	streetsOfCity   = 6250
	housesOfStreet  = 40
	keystrokes      = 4000
	slipEach        = 4 // every fourth typed street has a letter left out
	cityOfAddresses = 1
)

// addressCity is a made city: its extract of OpenStreetMap, and its streets in two scripts.
type addressCity struct {
	extract         []byte
	cyrillic, latin []string
}

// newAddressCity returns the city, which is the same in each run.
func newAddressCity() addressCity {
	dice := rand.New(rand.NewPCG(1, 2))
	syllables := [][2]string{
		{"ба", "ba"},
		{"ве", "ve"},
		{"го", "go"},
		{"ду", "du"},
		{"жи", "zhi"},
		{"за", "za"},
		{"ка", "ka"},
		{"ле", "le"},
		{"мо", "mo"},
		{"ни", "ni"},
		{"по", "po"},
		{"ра", "ra"},
		{"со", "so"},
		{"ту", "tu"},
		{"фи", "fi"},
		{"ха", "ha"},
		{"че", "che"},
		{"ши", "shi"},
		{"бор", "bor"},
		{"град", "grad"},
	}
	kinds := [][2]string{{"улица", "ulitsa"}, {"улица", "ulitsa"}, {"улица", "ulitsa"}, {"переулок", "pereulok"}, {"проспект", "prospekt"}}
	var c addressCity
	var nodes []pbftest.Node
	var ways []pbftest.Way
	id := int64(1)
	for i := range streetsOfCity {
		kind, cyrillic, latin := kinds[dice.IntN(len(kinds))], "", ""
		for range 2 + dice.IntN(3) {
			s := syllables[dice.IntN(len(syllables))]
			cyrillic, latin = cyrillic+s[0], latin+s[1]
		}
		cyrillic, latin = kind[0]+" "+strings.ToUpper(cyrillic[:2])+cyrillic[2:]+"ская", kind[1]+" "+latin+"skaia"
		c.cyrillic, c.latin = append(c.cyrillic, cyrillic), append(c.latin, latin)
		latitude, longitude := 55.6+0.3*float64(i/80)/80, 49.0+0.5*float64(i%80)/80
		first := id
		for h := range housesOfStreet {
			number := strconv.Itoa(h + 1)
			if h%7 == 0 {
				number += " к2"
			}
			nodes = append(nodes, pbftest.Node{
				ID: id, Latitude: latitude, Longitude: longitude + 0.0002*float64(h),
				Tags: map[string]string{"addr:street": cyrillic, "addr:housenumber": number, "addr:postcode": strconv.Itoa(420000 + i/50)},
			})
			id++
		}
		ways = append(ways, pbftest.Way{ID: int64(i + 1), Nodes: []int64{first, id - 1}, Tags: map[string]string{"highway": "residential", "name": cyrillic, "name:en": latin}})
	}
	c.extract = pbftest.Write(nodes, ways, nil)
	return c
}

// typed returns what customers have typed by one keystroke each: beginnings of streets in either
// script, some with a slip, and of houses.
func (c addressCity) typed() []string {
	dice := rand.New(rand.NewPCG(3, 4))
	var all []string
	for len(all) < keystrokes {
		i := dice.IntN(len(c.cyrillic))
		name := []rune(c.cyrillic[i])
		if len(all)%2 == 0 {
			name = []rune(c.latin[i])
		}
		_, street, _ := strings.Cut(string(name), " ")
		text := []rune(street)
		if len(all)%slipEach == 0 {
			text = slices.Delete(text, 3, 4)
		}
		if dice.IntN(3) == 0 {
			all = append(all, string(text)+", "+strconv.Itoa(1+dice.IntN(housesOfStreet)))
			continue
		}
		all = append(all, string(text[:3+dice.IntN(len(text)-3)]))
	}
	return all
}

// attempts is how often each keystroke is searched. The fastest counts, for other work on the machine
// interrupts some.
const attempts = 3

// measureKeystrokes reports p50 and p99 of a search over all keystrokes, and for how many of them it
// found something.
func measureKeystrokes(b *testing.B, typed []string, search func(text string) int) {
	b.Helper()
	search(typed[0]) // the index is made by the first
	for b.Loop() {
		var times []time.Duration
		found := 0
		for _, text := range typed {
			fastest, count := time.Hour, 0
			for range attempts {
				begun := time.Now()
				count = search(text)
				fastest = min(fastest, time.Since(begun))
			}
			if count > 0 {
				found++
			}
			times = append(times, fastest)
		}
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
		b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
		b.ReportMetric(100*float64(found)/float64(len(typed)), "found-%")
	}
}

// heap returns the bytes that are in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkAddresses measures a keystroke over 250,000 addresses: the local index, a scan of all lines
// and SQLite's full-text index of the same lines.
func BenchmarkAddresses(b *testing.B) {
	c := newAddressCity()
	begun := time.Now()
	streets, err := extract.Read(b.Context(), bytes.NewReader(c.extract), extract.Options{Language: lang.RU})
	if err != nil {
		b.Fatal(err)
	}
	register := geo.EncodeRegister(streets)
	imported := time.Since(begun)
	typed := c.typed()
	var lines []string
	for _, s := range streets {
		for _, h := range s.Houses {
			lines = append(lines, strings.ToLower(s.Name[lang.RU]+" "+s.Name[lang.EN]+" "+h.Number))
		}
	}

	b.Run("local", func(b *testing.B) {
		before := heap()
		read, err := geo.DecodeRegister(register)
		if err != nil {
			b.Fatal(err)
		}
		local := geo.NewLocal(func(int64) (geo.Place, bool) {
			return geo.Place{Name: lang.Text{lang.RU: "Казань"}, Streets: read}, true
		})
		search := func(text string) int {
			found, err := local.Suggest(context.Background(), cityOfAddresses, text, lang.RU)
			if err != nil {
				b.Fatal(err)
			}
			return len(found)
		}
		search("ул") // makes the index
		used := heap() - before + uint64(len(register))
		measureKeystrokes(b, typed, search)
		b.ReportMetric(float64(used)/1e6, "MB")
		b.ReportMetric(float64(len(register))/1e6, "file-MB")
		b.ReportMetric(float64(len(c.extract))/1e6, "extract-MB")
		b.ReportMetric(imported.Seconds(), "import-s")
		b.ReportMetric(float64(len(lines)), "addresses")
		runtime.KeepAlive(local)
	})
	b.Run("scan", func(b *testing.B) {
		measureKeystrokes(b, typed[:200], func(text string) int {
			words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ',' || r == ' ' })
			found := 0
			for _, line := range lines {
				if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) }) {
					if found++; found == geo.MaxSuggestions {
						break
					}
				}
			}
			return found
		})
	})
	b.Run("fts5", func(b *testing.B) {
		db := fillFullText(b, lines)
		statement, err := db.PrepareContext(b.Context(), `SELECT text FROM address WHERE address MATCH ? LIMIT 7`)
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = statement.Close() }()
		measureKeystrokes(b, typed, func(text string) int {
			var query []string
			for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ',' || r == ' ' }) {
				query = append(query, `"`+word+`"*`)
			}
			rows, err := statement.QueryContext(b.Context(), strings.Join(query, " "))
			if err != nil {
				b.Fatal(err)
			}
			defer rows.Close()
			found := 0
			for rows.Next() {
				found++
			}
			if err := rows.Err(); err != nil {
				b.Fatal(err)
			}
			return found
		})
	})
}

// fillFullText returns a database with a full-text index of the lines.
func fillFullText(b *testing.B, lines []string) *sql.DB {
	b.Helper()
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "addresses.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	if _, err := db.ExecContext(b.Context(), `CREATE VIRTUAL TABLE address USING fts5(text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4')`); err != nil {
		b.Fatal(err)
	}
	tx, err := db.BeginTx(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	insert, err := tx.PrepareContext(b.Context(), `INSERT INTO address (text) VALUES (?)`)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = insert.Close() }()
	for _, line := range lines {
		if _, err := insert.ExecContext(b.Context(), line); err != nil {
			b.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
	return db
}
