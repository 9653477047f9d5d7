package bench

import (
	"bytes"
	"context"
	"database/sql"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the index that the local one is compared with

	"servery/internal/extract"
	"servery/internal/extract/citytest"
	"servery/internal/geo"
	"servery/internal/lang"
)

// The city of the benchmark has 6,250 streets of 40 houses: 250,000 addresses.
const (
	streetsOfCity   = 6250
	housesOfStreet  = 40
	keystrokes      = 4000
	slipEach        = 4   // every fourth typed street has a letter left out
	scanned         = 200 // keystrokes of the scan, which takes long
	cityOfAddresses = 1
)

// newAddressCity returns the city, which is the same in each run.
func newAddressCity() citytest.City {
	return citytest.New(streetsOfCity, housesOfStreet, geo.Bounds{South: 55.6, West: 49, North: 55.9, East: 49.5})
}

// keystroke is what a customer has typed so far, and the street that they mean, in lower case.
type keystroke struct{ text, street string }

// typedTexts returns the texts of the search field, one for each keystroke measured: the beginning of a
// street in either script, or a whole street and a house. Every fourth text lacks a letter.
func typedTexts(c citytest.City) []keystroke {
	dice := rand.New(rand.NewPCG(3, 4))
	var all []keystroke
	for len(all) < keystrokes {
		s := c.Streets[dice.IntN(len(c.Streets))]
		name := s.Cyrillic
		if len(all)%2 == 0 {
			name = s.Latin
		}
		_, street, _ := strings.Cut(name, " ")
		text := []rune(street)
		if len(all)%slipEach == 0 {
			text = slices.Delete(text, 3, 4)
		}
		if dice.IntN(3) == 0 {
			text = append(text, []rune(", "+strconv.Itoa(1+dice.IntN(housesOfStreet)))...)
		} else {
			text = text[:3+dice.IntN(len(text)-3)]
		}
		all = append(all, keystroke{string(text), strings.ToLower(s.Cyrillic)})
	}
	return all
}

// attempts is how often each keystroke is searched. The fastest search counts, because other work on the
// machine slows some of them.
const attempts = 3

// measureKeystrokes runs search for each typed text and reports the times p50 and p99, the share of texts
// with a result, and the share with the street that was meant. search returns the lines that it found.
func measureKeystrokes(b *testing.B, typed []keystroke, search func(text string) []string) {
	b.Helper()
	for b.Loop() {
		var times []time.Duration
		found, meant := 0, 0
		for _, k := range typed {
			fastest := time.Hour
			var lines []string
			for range attempts {
				begun := time.Now()
				lines = search(k.text)
				fastest = min(fastest, time.Since(begun))
			}
			if len(lines) > 0 {
				found++
			}
			if slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(strings.ToLower(line), k.street) }) {
				meant++
			}
			times = append(times, fastest)
		}
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
		b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
		b.ReportMetric(100*float64(found)/float64(len(typed)), "found-%")
		b.ReportMetric(100*float64(meant)/float64(len(typed)), "meant-%")
	}
}

// reportSize reports how long it took to make what is searched of the streets of the extract, and the
// bytes that it takes in a file and in memory.
func reportSize(b *testing.B, made time.Duration, file, memory int) {
	b.Helper()
	b.ReportMetric(made.Seconds(), "made-s")
	b.ReportMetric(float64(file)/1e6, "file-MB")
	b.ReportMetric(float64(memory)/1e6, "memory-MB")
}

// heapInUse collects garbage and returns the bytes that are still allocated on the heap.
func heapInUse() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// resident returns the bytes of the process that are in memory, with those outside of Go's heap; 0 where
// the system does not say.
func resident() int {
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	pages, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return pages * os.Getpagesize()
}

// BenchmarkAddresses measures a keystroke over 250,000 addresses: the local index, a scan of all lines
// and SQLite's full-text index of the same lines.
func BenchmarkAddresses(b *testing.B) {
	c := newAddressCity()
	begun := time.Now()
	streets, err := extract.Read(b.Context(), bytes.NewReader(c.Extract), extract.Options{Language: lang.RU})
	if err != nil {
		b.Fatal(err)
	}
	reading := time.Since(begun)
	typed := typedTexts(c)
	b.Run("local", func(b *testing.B) {
		benchmarkLocal(b, streets, typed)
		b.ReportMetric(reading.Seconds(), "extract-s")
		b.ReportMetric(float64(len(c.Extract))/1e6, "extract-MB")
	})
	b.Run("scan", func(b *testing.B) { benchmarkScan(b, streets, typed[:scanned]) })
	b.Run("fts5", func(b *testing.B) { benchmarkFullText(b, streets, typed) })
}

// benchmarkLocal measures the local index over a register of the streets.
func benchmarkLocal(b *testing.B, streets []geo.RegisterStreet, typed []keystroke) {
	before, begun := heapInUse(), time.Now()
	register := geo.EncodeRegister(streets)
	read, err := geo.DecodeRegister(register)
	if err != nil {
		b.Fatal(err)
	}
	local := geo.NewLocal(func(int64) (geo.Place, bool) {
		return geo.Place{Name: lang.Text{lang.RU: "Казань"}, Streets: read}, true
	})
	search := func(text string) []string {
		found, err := local.Suggest(context.Background(), cityOfAddresses, text, lang.RU)
		if err != nil {
			b.Fatal(err)
		}
		lines := make([]string, len(found))
		for i, f := range found {
			lines[i] = f.Title
		}
		return lines
	}
	search("ул") // makes the index
	made, memory := time.Since(begun), heapInUse()-before
	measureKeystrokes(b, typed, search)
	reportSize(b, made, len(register), memory)
	runtime.KeepAlive(local)
}

// linesOf returns a line for each address, with the name of the street in both scripts, and their bytes.
func linesOf(streets []geo.RegisterStreet) (lines []string, size int) {
	for _, s := range streets {
		for _, h := range s.Houses {
			line := strings.ToLower(s.Name[lang.RU] + " " + s.Name[lang.EN] + " " + h.Number)
			lines, size = append(lines, line), size+len(line)+1
		}
	}
	return lines, size
}

// wordsOf returns the typed words.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ',' || r == ' ' })
}

// benchmarkScan measures a scan of all lines for those that have each typed word.
func benchmarkScan(b *testing.B, streets []geo.RegisterStreet, typed []keystroke) {
	before, begun := heapInUse(), time.Now()
	lines, size := linesOf(streets)
	made, memory := time.Since(begun), heapInUse()-before
	measureKeystrokes(b, typed, func(text string) []string {
		words := wordsOf(text)
		var found []string
		for _, line := range lines {
			if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) }) {
				if found = append(found, line); len(found) == geo.MaxSuggestions {
					break
				}
			}
		}
		return found
	})
	reportSize(b, made, size, memory)
}

// benchmarkFullText measures SQLite's FTS5 over the lines.
func benchmarkFullText(b *testing.B, streets []geo.RegisterStreet, typed []keystroke) {
	lines, _ := linesOf(streets)
	before, begun := resident(), time.Now()
	db, name := fillFullText(b, lines)
	made := time.Since(begun)
	statement, err := db.PrepareContext(b.Context(), `SELECT text FROM address WHERE address MATCH ? LIMIT 7`)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = statement.Close() }()
	measureKeystrokes(b, typed, func(text string) []string {
		var query []string
		for _, word := range wordsOf(text) {
			query = append(query, `"`+word+`"*`)
		}
		rows, err := statement.QueryContext(b.Context(), strings.Join(query, " "))
		if err != nil {
			b.Fatal(err)
		}
		defer rows.Close()
		var found []string
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				b.Fatal(err)
			}
			found = append(found, line)
		}
		if err := rows.Err(); err != nil {
			b.Fatal(err)
		}
		return found
	})
	memory := resident() - before
	file, err := os.Stat(name)
	if err != nil {
		b.Fatal(err)
	}
	reportSize(b, made, int(file.Size()), memory)
	runtime.KeepAlive(lines)
}

// fillFullText returns a database with a full-text index of the lines, and the name of its file.
func fillFullText(b *testing.B, lines []string) (db *sql.DB, name string) {
	b.Helper()
	name = filepath.Join(b.TempDir(), "addresses.db")
	db, err := sql.Open("sqlite", name)
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
	return db, name
}
