package look

import (
	"os"
	"testing"
)

// defaultSelector has no weight, so that the rules of a brand's sheet win wherever they stand.
const defaultSelector = ":where(:root)"

const defaultSheetFile = "../../web/src/styles/default-theme.css"

// The page has the default theme itself, for brands without a sheet and sheets that do not arrive.
func TestDefault_isThatOfThePage(t *testing.T) {
	t.Parallel()
	text := "/* What a brand's theme leaves out; written by make generate from internal/look/default.go. */\n" + Default().sheet(defaultSelector)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(defaultSheetFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	written, err := os.ReadFile(defaultSheetFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != text {
		t.Errorf("%s is not the default theme: make generate writes it again", defaultSheetFile)
	}
}
