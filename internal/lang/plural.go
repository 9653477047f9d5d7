package lang

import "reflect"

// The plural forms, by their CLDR names.
const (
	one   = "one"
	few   = "few"
	many  = "many"
	other = "other"
)

// pluralForm returns the form of the language for the count. It returns other when count is no
// whole number.
func pluralForm(l Lang, count any) string {
	v := reflect.ValueOf(count)
	if !v.CanInt() {
		return other
	}
	n := v.Int()
	if n < 0 {
		n = -n
	}
	if l != RU && l != UK {
		if n == 1 {
			return one
		}
		return other
	}
	switch ones, tens := n%10, n/10%10; {
	case tens == 1:
		return many
	case ones == 1:
		return one
	case ones >= 2 && ones <= 4:
		return few
	default:
		return many
	}
}
