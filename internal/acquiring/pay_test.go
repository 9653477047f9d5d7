package acquiring_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"servery/internal/acquiring"
	"servery/internal/money"
)

var rub = money.Currency{Code: "RUB", Decimals: 2, Sign: "₽"}

// Sums are written with two decimals. Zeros at the end are read; other texts and more decimals
// are errors.
func TestDecimal_isWrittenAndReadByDigits(t *testing.T) {
	t.Parallel()
	for amount, want := range map[money.Amount]string{0: "0.00", 5: "0.05", 123450: "1234.50", 1010: "10.10", -105: "-1.05"} {
		if got := acquiring.Decimal(amount); got != want {
			t.Errorf("Decimal(%d) = %s, want %s", int64(amount), got, want)
		}
	}
	for text, want := range map[string]money.Amount{"1": 100, "1.1": 110, "1.100000": 110, "10.00": 1000, "0.29": 29} {
		if got, err := acquiring.ParseDecimal(text); err != nil || got != want {
			t.Errorf("ParseDecimal(%s) = %d, %v", text, int64(got), err)
		}
	}
	for _, text := range []string{"", "1.001", "1e3", "1,5", "NaN", "1.00000000001", "0x10"} {
		if got, err := acquiring.ParseDecimal(text); err == nil {
			t.Errorf("ParseDecimal(%s) = %d", text, int64(got))
		}
	}
}

// Random lines are fitted to a random smaller total: they add up to it, and none has a price or
// count of zero.
func TestFitLines_addUpToTheTotal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var lines []acquiring.Line
		full := money.Amount(0)
		for range rapid.IntRange(1, 12).Draw(t, "lines") {
			l := acquiring.Line{
				Name: "x", Unit: money.Amount(rapid.Int64Range(1, 500000).Draw(t, "unit")), Count: rapid.IntRange(1, 100).Draw(t, "count"),
				VAT: acquiring.VAT(rapid.IntRange(0, int(acquiring.VATOf22)).Draw(t, "vat")),
			}
			lines, full = append(lines, l), full.Add(l.Total())
		}
		total := money.Amount(rapid.Int64Range(1, int64(full)).Draw(t, "total"))
		receipt := acquiring.Receipt{Lines: acquiring.FitLines(lines, total)}
		if receipt.Total() != total {
			t.Fatalf("lines add up to %d, want %d", receipt.Total(), total)
		}
		for _, l := range receipt.Lines {
			if l.Unit <= 0 || l.Count <= 0 {
				t.Fatalf("a line of %d × %d", l.Count, l.Unit)
			}
		}
	})
}

// A token is hidden in JSON, in logs and by every verb of fmt; only Reveal returns it.
func TestSecret_isNeverShown(t *testing.T) {
	t.Parallel()
	in := acquiring.Intent{ID: "p1", Token: "cryptogram-of-a-card"}
	body, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "token", in.Token, "intent", in)
	for _, text := range []string{fmt.Sprint(in), fmt.Sprintf("%+v %#v %q %s", in, in, in.Token, in.Token), string(body), log.String()} {
		if strings.Contains(text, "cryptogram") {
			t.Errorf("shown: %s", text)
		}
	}
	if in.Token.Reveal() != "cryptogram-of-a-card" {
		t.Error("it cannot be revealed")
	}
}

// Codes of words and short numbers stay. Card numbers, names, line ends and long texts become
// "other".
func TestCleanCode_leavesOnlyWordsFitForLogs(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"insufficient_funds": "insufficient_funds", "5051": "5051", "": "",
		"4242424242424242": "other", "Card 4242 of ANNA": "other", "a\nb": "other", strings.Repeat("x", 61): "other",
	} {
		if got := acquiring.CleanCode(code); got != want {
			t.Errorf("CleanCode(%q) = %q, want %q", code, got, want)
		}
	}
}

// Each thing that no acquirer can take is refused with its kind; a method that the acquirer does
// not support is too.
func TestIntent_Check_refusesWhatNobodyCanPay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	good := acquiring.Intent{ID: "p1", Sum: acquiring.Sum{Amount: 100, Currency: rub}, Deadline: now.Add(time.Second)}
	const supported, notSupported = true, false
	if err := good.Check("x", supported, now); err != nil {
		t.Errorf("a good one: %v", err)
	}
	for name, c := range map[string]struct {
		edit func(*acquiring.Intent)
		want acquiring.ErrorKind
	}{
		"no id":            {func(in *acquiring.Intent) { in.ID = "" }, acquiring.Invalid},
		"an id with space": {func(in *acquiring.Intent) { in.ID = "a b" }, acquiring.Invalid},
		"a long id":        {func(in *acquiring.Intent) { in.ID = acquiring.ID(strings.Repeat("a", 37)) }, acquiring.Invalid},
		"nothing to pay":   {func(in *acquiring.Intent) { in.Sum.Amount = 0 }, acquiring.Invalid},
		"less than that":   {func(in *acquiring.Intent) { in.Sum.Amount = -1 }, acquiring.Invalid},
		"no currency":      {func(in *acquiring.Intent) { in.Sum.Currency = money.Currency{} }, acquiring.Invalid},
		"another receipt":  {func(in *acquiring.Intent) { in.Receipt.Lines = []acquiring.Line{{Unit: 99, Count: 1}} }, acquiring.Invalid},
		"too late":         {func(in *acquiring.Intent) { in.Deadline = now }, acquiring.Late},
	} {
		in := good
		c.edit(&in)
		if err := in.Check("x", supported, now); err == nil || acquiring.KindOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := good.Check("x", notSupported, now); acquiring.KindOf(err) != acquiring.Invalid {
		t.Errorf("a method that is not taken: %v", err)
	}
}

// Each method and each reason is read back from its text.
func TestParse_readsStoredMethodsAndReasons(t *testing.T) {
	t.Parallel()
	for _, m := range acquiring.Methods() {
		if got, err := acquiring.ParseMethod(m.String()); err != nil || got != m {
			t.Errorf("%s = %s, %v", m, got, err)
		}
	}
	for r := acquiring.NoReason; r <= acquiring.Refused; r++ {
		if got, err := acquiring.ParseReason(r.String()); err != nil || got != r {
			t.Errorf("%s = %s, %v", r, got, err)
		}
	}
}

// The error says whether the id is another, or the sum or currency is.
func TestCheckEvent_refusesAnotherPaymentOrSum(t *testing.T) {
	t.Parallel()
	sum := acquiring.Sum{Amount: 100, Currency: rub}
	e := acquiring.Event{ID: "p1", State: acquiring.Paid, Sum: sum}
	if err := acquiring.CheckEvent("x", "p1", sum, e); err != nil {
		t.Error(err)
	}
	if err := acquiring.CheckEvent("x", "p2", sum, e); acquiring.KindOf(err) != acquiring.Foreign {
		t.Errorf("another id: %v", err)
	}
	for _, other := range []acquiring.Sum{{Amount: 99, Currency: rub}, {Amount: 100, Currency: money.Currency{Code: "KZT"}}} {
		e.Sum = other
		if err := acquiring.CheckEvent("x", "p1", sum, e); acquiring.KindOf(err) != acquiring.Mismatch {
			t.Errorf("%s: %v", other, err)
		}
	}
}

// An error shows acquirer, operation, kind, status and code. Its cause is found by errors.Is but
// not shown. Any other error has the kind Lost.
func TestError_namesWhatIsKnownAndHasItsCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("of the machine")
	err := error((&acquiring.Error{Acquirer: "x", Op: "start", Kind: acquiring.Rejected, Status: 400, Code: "code"}).Because(cause))
	if !errors.Is(err, cause) || strings.Contains(err.Error(), "machine") || err.Error() != "x: start: refused (400): code" {
		t.Errorf("%v", err)
	}
	if acquiring.KindOf(errors.New("any")) != acquiring.Lost {
		t.Error("an unknown error must be read as an unknown outcome")
	}
}
