package carttest

import (
	"strconv"
	"strings"
)

// Account is the acquirer's account of all payments in the content of [Online].
const Account = "bank"

// Where the city takes cards, as an argument of [Online].
const (
	OwnCardForm = true  // in the card form on our own page
	BankPage    = false // on a page of the acquirer
)

// Online returns the files that replace some of [Texts] for tests of payments: both brands take
// online payments only, all through [Account] and with receipts, and Ankara is not stopped.
// hasCardForm says where the city takes cards: OwnCardForm or BankPage.
func Online(hasCardForm bool) map[string]string {
	const online = "[card_online, sbp, sberpay, apple_pay, google_pay]"
	more := "payment_types: {delivery: " + online + ", takeaway: " + online + "}\n" +
		"acquiring: {card_online: bank, sbp: bank, sberpay: bank, apple_pay: bank, google_pay: bank}\n" +
		"card_form: " + strconv.FormatBool(hasCardForm) + "\n" +
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
	cities, _, _ := strings.Cut(Texts["sushi/cities.yaml"], ", type: stop") // Ankara's, at the end of the file
	files["sushi/cities.yaml"] = cities + "}\n"
	return files
}
