package acquiring

import (
	"strconv"
	"strings"

	"servery/internal/money"
)

// Decimal returns an amount in major units with two digits after the point, the form that most
// acquirers require: "1234.50".
func Decimal(a money.Amount) string {
	sign := ""
	minor := uint64(a)
	if a < 0 {
		sign, minor = "-", -minor // unsigned, so that the lowest amount does not overflow
	}
	cents := strconv.FormatUint(minor%money.Scale, 10)
	if len(cents) < 2 {
		cents = "0" + cents
	}
	return sign + strconv.FormatUint(minor/money.Scale, 10) + "." + cents
}

// ParseDecimal reads an amount in major units digit by digit. Zeros after the second decimal
// are dropped. Any other digit there is an error, because no sum of ours has a third decimal.
func ParseDecimal(text string) (money.Amount, error) {
	if point := strings.IndexByte(text, '.'); point >= 0 && len(text) > point+3 {
		text = text[:point+3] + strings.TrimRight(text[point+3:], "0")
	}
	return money.Parse(text)
}
