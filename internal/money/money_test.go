package money_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"servery/internal/money"
)

// Sums are written in major units without zeros at the end.
func TestAmount_MarshalJSON_hasAtMostTwoDecimals(t *testing.T) {
	t.Parallel()
	for amount, want := range map[money.Amount]string{
		0: "0", 5: "0.05", 50: "0.5", 100: "1", 34950: "349.5", 34900: "349",
		-5: "-0.05", -34999: "-349.99", 1234567890123: "12345678901.23",
	} {
		got, err := json.Marshal(amount)
		if err != nil || string(got) != want {
			t.Errorf("Marshal(%d) = %s, %v; want %s", int64(amount), got, err, want)
		}
	}
}

// Parse reads numbers with up to two decimals and returns ErrAmount for any other text. From
// JSON, strings and exponents are refused too.
func TestParse_readsPlainDecimalsOnly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]money.Amount{
		"0": 0, "349": 34900, "349.5": 34950, "349.50": 34950, "-0.05": -5, "0.1": 10,
	} {
		got, err := money.Parse(text)
		if err != nil || got != want {
			t.Errorf("Parse(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-", ".5", "5.", "1.234", "1e2", "1,5", "+1", " 1", "99999999999999999999", "1.2.3", "NaN"} {
		if got, err := money.Parse(text); !errors.Is(err, money.ErrAmount) {
			t.Errorf("Parse(%q) = %d, %v; want ErrAmount", text, got, err)
		}
	}
	for _, body := range []string{`"349"`, `349.555`, `3e2`, `true`} {
		var a money.Amount
		if err := json.Unmarshal([]byte(body), &a); err == nil {
			t.Errorf("Unmarshal(%s) = %d, want a refusal", body, a)
		}
	}
}

// Random sums are written as JSON and read back unchanged.
func TestAmount_UnmarshalJSON_readsWhatMarshalJSONWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := money.Amount(rapid.Int64Range(-1e15, 1e15).Draw(t, "amount"))
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		var back money.Amount
		if err := json.Unmarshal(text, &back); err != nil || back != a {
			t.Fatalf("%d -> %s -> %d, %v", a, text, back, err)
		}
	})
}

// A half minor unit is rounded up, and down for a negative sum.
func TestAmount_Percent_roundsHalfAwayFromZero(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		amount, want money.Amount
		percent      int
	}{
		{34950, 3495, 10},
		{5, 1, 10},
		{4, 0, 10},
		{-5, -1, 10},
		{333, 50, 15},
		{330, 50, 15},
		{10000, 10000, 100},
	} {
		if got := c.amount.Percent(c.percent, 1); got != c.want {
			t.Errorf("%d%% of %d = %d, want %d", c.percent, c.amount, got, c.want)
		}
	}
}

func TestAmount_ProrateUnits_keepsSumsWithoutDecimalsWhole(t *testing.T) {
	t.Parallel()
	yen, err := money.ParseCurrency("JPY")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := money.Major(345).Percent(10, yen.Unit()), money.Major(35); got != want {
		t.Errorf("10%% of 345 yen = %s, want %s", got, want)
	}
	if got, want := money.Major(-345).Percent(10, yen.Unit()), money.Major(-35); got != want {
		t.Errorf("10%% of -345 yen = %s, want %s", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		sum := money.Amount(rapid.Int64Range(0, 1e9).Draw(t, "sum"))
		var weights []money.Amount
		for _, w := range rapid.SliceOfN(rapid.Int64Range(0, 1e9), 1, 20).Draw(t, "weights") {
			weights = append(weights, money.Amount(w))
		}
		parts := sum.ProrateUnits(yen.Unit(), weights)
		if got := money.Sum(parts...); got != sum {
			t.Fatalf("parts add up to %s, want %s", got, sum)
		}
		broken := 0 // parts that are no multiple of the unit: at most one, and only when the sum is none either
		for i, p := range parts {
			if p%yen.Unit() != 0 {
				broken++
			}
			if weights[i] == 0 && p != 0 && money.Sum(weights...) > 0 {
				t.Fatalf("a part without a weight gets %s of %s", p, sum)
			}
		}
		if broken > 0 && sum%yen.Unit() == 0 || broken > 1 {
			t.Fatalf("%s is divided into %v", sum, parts)
		}
	})
}

func TestParseCurrency_hasThoseOfCLDR(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]struct {
		decimals        int
		sign, inRussian string
		isKept          bool
	}{
		"RUB": {2, "₽", "₽", true}, "UZS": {2, "soʻm", "сум", true}, "CHF": {2, "CHF", "CHF", true},
		"JPY": {0, "¥", "¥", true}, "VND": {0, "₫", "₫", true}, "KWD": {3, "KWD", "KWD", false},
	} {
		c, err := money.ParseCurrency(code)
		if err != nil || c.Decimals != want.decimals || c.SymbolFor("en") != want.sign || c.SymbolFor("ru") != want.inRussian || c.CanBeKept() != want.isKept {
			t.Errorf("%s = %+v (%s, %s), %v; want %+v", code, c, c.SymbolFor("en"), c.SymbolFor("ru"), err, want)
		}
	}
}

// Fixed cases show where the units left over go. For random sums and weights the parts add up to
// the sum.
func TestAmount_Prorate_partsAddUpToTheSum(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sum           money.Amount
		weights, want []money.Amount
	}{
		{100, []money.Amount{1, 1, 1}, []money.Amount{34, 33, 33}},
		{-100, []money.Amount{1, 1, 1}, []money.Amount{-34, -33, -33}},
		{100, []money.Amount{0, 3, 1}, []money.Amount{0, 75, 25}},
		{101, []money.Amount{1, 3}, []money.Amount{25, 76}},
		{5, []money.Amount{0, 0}, []money.Amount{3, 2}},
		{5, nil, nil},
	} {
		if got := c.sum.Prorate(c.weights); !slices.Equal(got, c.want) {
			t.Errorf("Prorate(%d, %v) = %v, want %v", c.sum, c.weights, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		sum := money.Amount(rapid.Int64Range(-1e12, 1e12).Draw(t, "sum"))
		var weights []money.Amount
		for _, w := range rapid.SliceOfN(rapid.Int64Range(0, 1e12), 1, 30).Draw(t, "weights") {
			weights = append(weights, money.Amount(w))
		}
		if got := money.Sum(sum.Prorate(weights)...); got != sum {
			t.Fatalf("parts add up to %d, want %d", got, sum)
		}
	})
}

// Appending to a buffer with enough room allocates nothing.
func TestAmount_AppendText_allocatesNothing(t *testing.T) {
	buf := make([]byte, 0, 64)
	amount := money.Amount(1234567)
	if n := testing.AllocsPerRun(100, func() { buf, _ = amount.AppendText(buf[:0]) }); n != 0 {
		t.Errorf("AppendText allocates %v times", n)
	}
}

// RUB is found, with two decimals; ZZZ is an error.
func TestParseCurrency_refusesAnUnknownOne(t *testing.T) {
	t.Parallel()
	if c, err := money.ParseCurrency("RUB"); err != nil || c.Decimals != 2 {
		t.Errorf("RUB = %+v, %v", c, err)
	}
	if _, err := money.ParseCurrency("ZZZ"); err == nil {
		t.Error("ZZZ is accepted")
	}
}
