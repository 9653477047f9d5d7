package content

import (
	"encoding/json"
	"reflect"
	"strings"

	"servery/internal/clock"
	"servery/internal/money"
	"servery/internal/site"
)

// kinds are the schemas of the types that keep their place, the name of each in defs.json, and what
// tables call them.
var kinds = map[reflect.Type]struct {
	def, says string
	schema    string
}{
	reflect.TypeFor[idValue]():       {"id", "id", `{"type": "integer", "minimum": 1}`},
	reflect.TypeFor[aliasValue]():    {"alias", "alias", `{"type": "string", "pattern": ` + quoted(aliasPattern.String()) + `, "maxLength": 64}`},
	reflect.TypeFor[textValue]():     {"text", "text in languages", textSchema()},
	reflect.TypeFor[languageValue](): {"language", "language tag", `{"type": "string", "pattern": ` + quoted(tagPattern) + `}`},
	reflect.TypeFor[amountValue]():   {"amount", "amount", amountSchema},
	reflect.TypeFor[money.Amount]():  {"amount", "amount", amountSchema},
	reflect.TypeFor[pricesValue]():   {"prices", "amount, or amounts by price list", `{"anyOf": [{"$ref": "#/$defs/amount"}, {"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#/$defs/amount"}}]}`},
	reflect.TypeFor[rateValue]():     {"rate", "decimal", `{"type": ["string", "number"], "pattern": "^[0-9]+(\\.[0-9]+)?$"}`},
	reflect.TypeFor[percentValue]():  {"percent", "decimal, 0.01 to 100", `{"type": ["string", "number"], "pattern": "^[0-9]+(\\.[0-9]{1,2})?$", "minimum": 0.01, "maximum": 100}`},
	reflect.TypeFor[currencyValue](): {"currency", "currency", `{"type": "string", "pattern": "^[A-Z]{3}$"}`},
	reflect.TypeFor[pointValue]():    {"point", "[latitude, longitude]", `{"type": "array", "prefixItems": [{"type": "number", "minimum": -90, "maximum": 90}, {"type": "number", "minimum": -180, "maximum": 180}], "minItems": 2, "maxItems": 2, "items": false}`},
	reflect.TypeFor[bboxValue]():     {"bbox", "four numbers", `{"type": "array", "items": {"type": "number", "minimum": -180, "maximum": 180}, "minItems": 4, "maxItems": 4}`},
	reflect.TypeFor[housesValue]():   {"houses", "two whole numbers", `{"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 10000}, "minItems": 2, "maxItems": 2}`},
	reflect.TypeFor[spansValue]():    {"spans", "list of times", `{"type": "array", "items": {"type": "string", "pattern": "^[0-9]{1,2}:[0-5][0-9]-[0-9]{1,2}:[0-5][0-9]$"}}`},
	reflect.TypeFor[daysValue]():     {"days", "list of days", `{"type": "array", "minItems": 1, "items": {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 7}, {"type": "string", "pattern": "^[1-7](-[1-7])?$"}]}}`},
	reflect.TypeFor[codeValue]():     {"code", "code", `{"type": "string", "minLength": 3, "maxLength": 32}`},
	reflect.TypeFor[accountValue]():  {"account", "account", `{"type": "string", "pattern": ` + quoted(accountPattern.String()) + `, "maxLength": 64}`},
	reflect.TypeFor[vatValue]():      {"vat", listed(site.VATs()), vatSchema()},
	reflect.TypeFor[tilesValue]():    {"tiles", "address", `{"type": "string", "pattern": "^https://.*\\{z\\}.*$"}`},
	reflect.TypeFor[maskValue]():     {"mask", "text", `{"type": "string", "pattern": "#"}`},
	reflect.TypeFor[httpsValue]():    {"https", "address", `{"type": "string", "pattern": "^https://"}`},
	reflect.TypeFor[groupCeiling]():  {"minutes", "whole number", `{"type": "integer", "minimum": 0, "maximum": 100000}`},
	reflect.TypeFor[colorValue]():    {"color", "colour", `{"type": "string", "pattern": "^(oklch\\(.+\\)|#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8}))$"}`},
	reflect.TypeFor[cornerValue]():   {"corner", "whole number, 0 to 64, or `round`", `{"anyOf": [{"type": "integer", "minimum": 0, "maximum": 64}, {"const": "round"}]}`},
	reflect.TypeFor[fontValue]():     {"font", "file, or files by language", fontSchema()},
	reflect.TypeFor[clock.Day]():     {"date", "date", `{"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}`},
}

const amountSchema = `{"anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+(\\.[0-9]{1,2})?$"}]}`

// keyPatterns are those of mappings of any keys, by the tag "keys".
var keyPatterns = map[string]string{
	"weekdays": "^[1-7](-[1-7])?$",
	"dates":    "^([0-9]{4}-[0-9]{2}-[0-9]{2}|today)$",
}

func quoted(text string) string {
	out, _ := json.Marshal(text) // a text always can be
	return string(out)
}

func textSchema() string {
	return `{"anyOf": [{"type": "string", "minLength": 1}, {"type": "object", "additionalProperties": false, "minProperties": 1, "patternProperties": {` +
		quoted(tagPattern) + `: {"type": "string"}}}]}`
}

// tagPattern is the form of language tags that content may have.
const tagPattern = "^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$"

// fontSchema returns the schema of a font: a file, or a file for each language.
func fontSchema() string {
	const file = `{"type": "string", "pattern": "\\.woff2$"}`
	var languages []string
	for _, l := range choices["languages"] {
		languages = append(languages, quoted(l)+": "+file)
	}
	return `{"anyOf": [` + file + `, {"type": "object", "additionalProperties": false, "minProperties": 1, "properties": {` + strings.Join(languages, ", ") + `}}]}`
}

// vatSchema returns the schema of a tax: one of the texts, or a number for those that are numbers.
func vatSchema() string {
	var texts, numbers []string
	for _, rate := range site.VATs() {
		texts = append(texts, quoted(rate))
		if rate[0] <= '9' {
			numbers = append(numbers, rate)
		}
	}
	return `{"enum": [` + strings.Join(append(texts, numbers...), ", ") + `]}`
}

func listed(words []string) string { return "`" + strings.Join(words, "`, `") + "`" }
