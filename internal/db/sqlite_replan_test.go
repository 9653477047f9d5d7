package db_test

import (
	"regexp"
	"testing"

	"servery/internal/db"
	"servery/internal/db/dbtest"
)

var (
	fixedByIndex = regexp.MustCompile(`(?s) ON (\w+) .* WHERE (.*)`)
	fixedColumn  = regexp.MustCompile(`(\w+) = (?:'\w*'|\d+)`)
	readByValue  = regexp.MustCompile(`(?s)\bWHERE\b.*`)
)

// No query compares with a parameter a column that a partial index fixes. SQLite would plan such a query
// again at each call, because the value decides about the index.
func TestPartialIndices_fixNoColumnThatQueriesCompareWithAParameter(t *testing.T) {
	t.Parallel()
	conn, err := dbtest.Open(t, db.SQLite).Reader().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, index := range queryTexts(t, conn, "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'") {
		found := fixedByIndex.FindStringSubmatch(index)
		for _, fixed := range fixedColumn.FindAllStringSubmatch(found[2], -1) {
			compared := regexp.MustCompile(`\b` + fixed[1] + ` = \$`)
			for _, q := range readQueries(t) {
				for _, table := range named.FindAllStringSubmatch(q.text, -1) {
					if table[1] == found[1] && compared.MatchString(readByValue.FindString(q.text)) {
						t.Errorf("%s compares %s.%s with a parameter, which %q fixes", q.name, found[1], fixed[1], index)
					}
				}
			}
		}
	}
}
