package login

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/lang"
	"servery/internal/limit"
	"servery/internal/phone"
	"servery/internal/site"
)

// prefixTail is how many digits at the end of a number distinguish it from its neighbours.
const prefixTail = 4

// Ask stores a code that only this browser can enter, and enqueues the job that sends it to the phone.
// The session's earlier code is invalid from then on. The answer is the same for a customer and for an
// unknown phone. It is also the same when the address or its network has requested too often and nothing
// is sent. When it goes on requesting, Ask returns login.too_many and stores nothing.
//
// Faults: those of phone (Invalid) at phone; login.channel (Invalid) at notify_channel for a
// channel that the site does not offer; login.too_many (TooMany) at phone, with the time to wait;
// login.captcha (Invalid) at captcha_user_token when the captcha must be solved first.
func (s *Service) Ask(ctx context.Context, a Ask) (Verification, error) {
	now := s.clock.Now()
	channels := s.Channels(a.Site)
	if !slices.Contains(channels, a.Channel) {
		return Verification{}, fault.New(fault.Invalid, "common.invalid", fault.Field("notify_channel", "login.channel"))
	}
	number, err := phone.Parse(a.Phone, a.City)
	if err != nil {
		return Verification{}, fault.New(fault.Invalid, "common.invalid", fault.Field("phone", fault.KeyOf(err)))
	}
	c := challenge{
		site: a.Site.Alias, sessionID: a.SessionID, phone: number, name: lang.OneLine(a.Name), channel: a.Channel, lang: a.Lang,
		host: a.Host, address: a.Address, captchaPassed: a.Captcha == CaptchaSolved, salt: newSalt(), state: Sending,
		createdAt: now, expiresAt: now.Add(s.limits.Life),
	}
	if c.deviceID, err = s.deviceOf(ctx, c.site, number, a.Device, now); err != nil {
		return Verification{}, err
	}
	// A site under attack refuses most requests, before they begin a transaction.
	if err := s.checkAlarm(ctx, c, a.Captcha); err != nil {
		return Verification{}, err
	}
	var shown Verification
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		shown, err = s.admitRequest(ctx, tx, c, a)
		return err
	})
	return shown, err
}

// admitRequest checks the limits on sending, stores the challenge, counts it in the traffic and
// enqueues the job that sends it. A request from an address or network that has requested too often
// is only stored, as withheld. It returns login.too_many (TooMany) or login.captcha (Invalid) when a
// limit refuses the request; the transaction must be rolled back then.
func (s *Service) admitRequest(ctx context.Context, tx *db.Tx, c challenge, a Ask) (Verification, error) {
	now, hour := c.createdAt, hourOf(c.createdAt)
	// This adds nothing, but locks the row of the range of numbers to the end of the transaction, so
	// that concurrent requests for one phone or range see those before them.
	if err := addTraffic(ctx, tx.Q, c.site, rangeScope(c.phone), hour, trafficCounts{}); err != nil {
		return Verification{}, err
	}
	if err := s.admitPhone(ctx, tx, &c, a.Site); err != nil {
		return Verification{}, err
	}
	network := limit.NetworkOf(c.address)
	if c.deviceID == 0 {
		if err := s.admitRange(ctx, tx, c, a.Captcha); err != nil {
			return Verification{}, err
		}
		if err := s.admitAddress(ctx, tx, &c, network, a.Captcha); err != nil {
			return Verification{}, err
		}
	}
	c.codeHash = s.expectedHash(c)
	id, err := insertChallenge(ctx, tx.Q, c, network)
	if err != nil {
		return Verification{}, err
	}
	if c.state == withheld {
		err = deleteEmptyTraffic(ctx, tx.Q, c.site, rangeScope(c.phone), hour)
	} else {
		err = s.enqueueSend(ctx, tx, c, id)
	}
	if err != nil {
		return Verification{}, err
	}
	return s.verificationOf(ctx, tx.Q, a.Site, c, now)
}

// enqueueSend counts a challenge in the traffic and enqueues the job that sends it.
func (s *Service) enqueueSend(ctx context.Context, tx *db.Tx, c challenge, id int64) error {
	for _, scope := range scopesOf(c.phone) {
		if err := addTraffic(ctx, tx.Q, c.site, scope, hourOf(c.createdAt), trafficCounts{sent: 1}); err != nil {
			return err
		}
	}
	return s.queue.Enqueue(ctx, tx, sendJob{ID: id})
}

// expectedHash returns the hash of the code that the customer must enter. For a withheld code it is
// the hash of a random text, so that nothing that is entered is right.
func (s *Service) expectedHash(c challenge) []byte {
	code := rand.Text()
	if c.state != withheld {
		code = codeOf(s.secret, c.salt, c.site, c.phone, c.codeLength)
	}
	h := codeHash(s.secret, c.salt, code)
	return h[:]
}

// admitPhone checks the limits on one phone and sets the length of the code in c. It returns
// login.too_many (TooMany) with the time to wait.
func (s *Service) admitPhone(ctx context.Context, tx *db.Tx, c *challenge, brand *site.Site) error {
	now := c.createdAt
	wait, err := s.sendWait(ctx, tx.Q, brand, *c, now)
	if err != nil {
		return err
	}
	budget, err := findBudget(ctx, tx.Q, s.budgetOf(*c))
	if err != nil {
		return err
	}
	if budget.isStopped(now, s.limits.Wrong) { // the pauses after single wrong codes only delay entering one
		wait = max(wait, budget.waitTime(now, s.limits.Wrong))
	}
	if wait > 0 {
		return refuseTooMany("phone", wait)
	}
	c.codeLength = budget.codeLength(now, brand.Settings.CodeLength, s.limits.Wrong)
	return nil
}

// admitRange checks the limits on what unknown devices have sent to the phone's range of numbers
// and to its country. A country is never stopped where the site has a captcha to distinguish people
// from programs: else a hundred addresses could shut out all of its customers.
func (s *Service) admitRange(ctx context.Context, tx *db.Tx, c challenge, captcha Captcha) error {
	ofRange, err := s.pumpVerdict(ctx, tx, c, rangeScope(c.phone), s.limits.Prefix)
	if err != nil {
		return err
	}
	ofCountry, err := s.pumpVerdict(ctx, tx, c, countryScope(c.phone), s.limits.Country)
	if err != nil {
		return err
	}
	s.reportCountry(ctx, c, ofCountry)
	if captcha != NoCaptcha {
		ofCountry = min(ofCountry, needCaptcha)
	}
	return refusalOf(max(ofRange, ofCountry), captcha)
}

// admitAddress checks the limits on what is requested from an address and its network. Above those on
// sending it sets the state of c to withheld. It returns login.too_many (TooMany) with the time until
// a code can be sent when too many are withheld already: else anyone could fill the database with rows.
// While the captcha's provider does not answer, it returns login.captcha (Invalid) above its limit.
func (s *Service) admitAddress(ctx context.Context, tx *db.Tx, c *challenge, network string, captcha Captcha) error {
	l, hourAgo := s.limits, c.createdAt.Add(-time.Hour)
	ofAddress, ofNetwork, err := countRequested(ctx, tx.Q, c.address, network, hourAgo)
	if err != nil {
		return err
	}
	if captcha == CaptchaUnanswered && ofAddress.sent >= l.Unanswered {
		return errCaptcha
	}
	if ofAddress.sent < l.PerAddress && ofNetwork.sent < l.PerNetwork {
		return nil
	}
	if ofAddress.withheld < l.WithheldPerAddress && ofNetwork.withheld < l.WithheldPerNetwork {
		c.state = withheld
		return nil
	}
	wait, err := s.addressWait(ctx, tx.Q, c.address, network, hourAgo)
	if err != nil {
		return err
	}
	return refuseTooMany("phone", wait)
}

// addressWait returns how long nothing is sent to an address because of what was sent to it and its
// network since an hour ago: from a second to an hour.
func (s *Service) addressWait(ctx context.Context, q *queries, address, network string, hourAgo time.Time) (time.Duration, error) {
	ofAddress, err := findAddressSend(ctx, q, address, s.limits.PerAddress, hourAgo)
	if err != nil {
		return 0, err
	}
	ofNetwork, err := findNetworkSend(ctx, q, network, s.limits.PerNetwork, hourAgo)
	if err != nil {
		return 0, err
	}
	wait := max(ofAddress.Sub(hourAgo), ofNetwork.Sub(hourAgo))
	return min(max(wait, time.Second), time.Hour), nil
}

// pumpVerdict returns the verdict on the messages that are sent to a range of numbers or a country.
func (s *Service) pumpVerdict(ctx context.Context, tx *db.Tx, c challenge, scope string, l PumpLimits) (verdict, error) {
	t, err := sumTraffic(ctx, tx.Q, c.site, scope, c.createdAt)
	return t.pumpVerdict(l), err
}

var errCaptcha = fault.New(fault.Invalid, "login.captcha", fault.Field("captcha_user_token", "login.captcha"))

// refusalOf returns the refusal for a verdict, nil when the request may go on. Where the site has
// no captcha, a verdict that needs one refuses with login.too_many.
func refusalOf(v verdict, captcha Captcha) error {
	switch {
	case v == pass:
		return nil
	case v == stop || captcha == NoCaptcha:
		return refuseTooMany("phone", time.Hour) // traffic is counted by the hour
	case captcha != CaptchaSolved:
		return errCaptcha
	}
	return nil
}

// refuseTooMany returns login.too_many (TooMany) at a field, with the time to wait.
func refuseTooMany(field string, wait time.Duration) error {
	return fault.New(fault.TooMany, "login.too_many", fault.Field(field, "login.too_many"), fault.RetryAfter(wait))
}

// siteScope is the scope of all traffic of a site.
const siteScope = ""

// rangeScope returns the scope of the range of numbers that a phone is in.
func rangeScope(number string) string { return "prefix:" + number[:max(0, len(number)-prefixTail)] }

// countryScope returns the scope of the country of a phone.
func countryScope(number string) string { return "country:" + phone.Country(number) }

// scopesOf returns the scopes that a phone's traffic is counted under. All transactions lock their
// rows in this order.
func scopesOf(number string) []string {
	return []string{rangeScope(number), countryScope(number), siteScope}
}
