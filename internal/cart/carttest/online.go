package carttest

import (
	"strconv"
	"strings"
)

// Account is the account that [Online] has everything paid through.
const Account = "bank"

// Online are the files of a house whose brands are paid online alone, through [Account], on
// our own card form or not, with receipts; Ankara sells too.
func Online(form bool) map[string]string {
	const online = "[card_online, sbp, sberpay, apple_pay, google_pay]"
	more := "payment_types: {delivery: " + online + ", takeaway: " + online + "}\n" +
		"acquiring: {card_online: bank, sbp: bank, sberpay: bank, apple_pay: bank, google_pay: bank}\n" +
		"card_form: " + strconv.FormatBool(form) + "\n" +
		"fiscal: {tax: general, vat: 10, delivery_vat: 22}\n"
	files := map[string]string{}
	for _, name := range []string{"sushi/brand.yaml", "pizza/brand.yaml"} {
		var lines []string
		for line := range strings.Lines(Texts[name]) {
			if !strings.HasPrefix(line, "payment_types:") {
				lines = append(lines, line)
			}
		}
		files[name] = strings.Join(lines, "") + more
	}
	cities, _, _ := strings.Cut(Texts["sushi/cities.yaml"], ", type: stop")
	files["sushi/cities.yaml"] = cities + "}\n"
	return files
}
