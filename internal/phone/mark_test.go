package phone_test

import (
	"strings"
	"testing"

	"servery/internal/phone"
)

// The same phone, site and secret have the same mark; with any of them changed it is another.
// The mark does not contain the phone, and no phone has an empty mark.
func TestMarks_differByPhoneSiteAndSecret(t *testing.T) {
	t.Parallel()
	marks := phone.NewMarks([]byte("the secret"))
	mark := marks.Of("sushi", "79161234567")
	if again := phone.NewMarks([]byte("the secret")).Of("sushi", "79161234567"); again != mark {
		t.Errorf("twice it is %s and %s", mark, again)
	}
	for name, other := range map[string]string{
		"another phone":  marks.Of("sushi", "79161234568"),
		"another site":   marks.Of("pizza", "79161234567"),
		"a shifted site": marks.Of("sush", "i79161234567"),
		"another secret": phone.NewMarks([]byte("another secret")).Of("sushi", "79161234567"),
	} {
		if other == mark || other == "" {
			t.Errorf("%s has the mark %s", name, other)
		}
	}
	if strings.Contains(mark, "9161234567") || phone.Digits(mark) == "79161234567" {
		t.Errorf("the mark has the phone: %s", mark)
	}
	if got := marks.Of("sushi", ""); got != "" {
		t.Errorf("no phone has the mark %s", got)
	}
}
