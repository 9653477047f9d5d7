package customer

import (
	"fmt"
	"net/mail"
	"strings"
	"time"
	"unicode/utf8"

	"servery/internal/clock"
	"servery/internal/fault"
	"servery/internal/lang"
)

// Sex is what a customer states; empty until they do. The set is closed.
type Sex string

// The sexes of the form. NoSex takes the answer away.
const (
	NoSex  Sex = ""
	Male   Sex = "male"
	Female Sex = "female"
)

// The bounds of a profile: characters of the name, bytes of an e-mail address, and years of age.
const (
	longestName  = 100
	longestEmail = 254
	maxAge       = 120
)

// Profile is the stored data of a customer. It prints as the id only.
type Profile struct {
	Customer

	Sex Sex
	// Birthday is the zero Day until it is entered.
	Birthday clock.Day
	Email    string
	// Consents are the customer's answers, the newest first.
	Consents []Answer
}

// Change is a change of a customer's profile; nil stays as it is.
type Change struct {
	Name *string
	// Phone is digits with the country code. It cannot be changed.
	Phone *string
	Sex   *Sex
	// Birthday is DD.MM.YYYY; empty removes it, and so does an empty Email.
	Birthday, Email *string
	// Consents says by kind whether it is given now, and Versions which version of its text was
	// shown beside the box.
	Consents map[Kind]bool
	Versions map[Kind]string
}

// changeContext is when and from where a change of a profile is made.
type changeContext struct {
	today clock.Day // in the customer's city
	now   time.Time
	// address is the network address that the change came from.
	address string
}

// changedBy returns the profile after a change and the new answers to consents. Faults, all Invalid
// and together under common.invalid: customer.name_required and common.too_long at name,
// customer.phone_fixed at phone, common.not_allowed at sex, customer.birthday_invalid and
// customer.birthday_range at birthday, customer.email_invalid at email, customer.consent_version at
// is_subscribed and is_print_fiscal_receipt.
func (p Profile) changedBy(c Change, origin changeContext) (Profile, []Answer, error) {
	var faults []fault.Option
	add := func(field, key string, args ...fault.Args) { faults = append(faults, fault.Field(field, key, args...)) }
	if c.Name != nil {
		p.Name = lang.OneLine(*c.Name)
		switch {
		case p.Name == "":
			add("name", "customer.name_required")
		case utf8.RuneCountInString(p.Name) > longestName:
			add("name", "common.too_long", fault.Args{"max": longestName})
		}
	}
	if c.Phone != nil && *c.Phone != p.Phone {
		add("phone", "customer.phone_fixed")
	}
	if c.Sex != nil {
		if p.Sex = *c.Sex; p.Sex != NoSex && p.Sex != Male && p.Sex != Female {
			add("sex", "common.not_allowed")
		}
	}
	if c.Birthday != nil {
		var faultKey string
		if p.Birthday, faultKey = parseBirthday(*c.Birthday, origin.today); faultKey != "" {
			add("birthday", faultKey)
		}
	}
	if c.Email != nil {
		if p.Email = strings.TrimSpace(*c.Email); p.Email != "" && !isEmail(p.Email) {
			add("email", "customer.email_invalid")
		}
	}
	answers, unseen := p.newAnswers(c, origin)
	for _, k := range unseen {
		add(k.fieldName(), "customer.consent_version")
	}
	if len(faults) > 0 {
		return Profile{}, nil, fault.New(fault.Invalid, "common.invalid", faults...)
	}
	p.Consents = append(answers, p.Consents...)
	return p, answers, nil
}

// parseBirthday reads a date on which a customer can be born. It returns the key of a refusal, or
// an empty one when the date is accepted. An empty text is the zero Day.
func parseBirthday(text string, today clock.Day) (clock.Day, string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return clock.Day{}, ""
	}
	t, err := time.Parse(dayLayout, text)
	if err != nil {
		return clock.Day{}, "customer.birthday_invalid"
	}
	day := clock.DayOf(t, time.UTC)
	earliest := clock.Day{Year: today.Year - maxAge, Month: today.Month, Day: today.Day}
	if day.Before(earliest) || today.Before(day) {
		return clock.Day{}, "customer.birthday_range"
	}
	return day, ""
}

// isEmail reports whether a text is an e-mail address and nothing else, at a host with a dot in its
// name.
func isEmail(text string) bool {
	a, err := mail.ParseAddress(text)
	if err != nil || a.Address != text || len(text) > longestEmail {
		return false
	}
	_, host, _ := strings.Cut(text, "@")
	return strings.Contains(strings.Trim(host, "."), ".")
}

// dayLayout is how customers write and read a date.
const dayLayout = "02.01.2006"

// BirthdayText formats a birthday as DD.MM.YYYY.
func BirthdayText(d clock.Day) string { return fmt.Sprintf("%02d.%02d.%04d", d.Day, d.Month, d.Year) }
