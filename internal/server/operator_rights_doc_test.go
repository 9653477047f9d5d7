package server_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// docs/operator-api.md has a row with right and bound for each of the operator's calls, and no other row.
func TestOperatorAccess_isThatOfTheDocumentation(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/operator-api.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	operatorOperations(func(route string, op *openapi3.Operation) {
		right, within := extensions(op)
		want = append(want, fmt.Sprintf("| `%s` | `%s` | %s |\n", strings.Replace(route, " /api", " ", 1), right, within))
	})
	slices.Sort(want)
	if table := "| call | right | within |\n|---|---|---|\n" + strings.Join(want, ""); !strings.Contains(string(page)+"\n", table+"\n") {
		t.Errorf("docs/operator-api.md lacks the table\n%s", table)
	}
}
