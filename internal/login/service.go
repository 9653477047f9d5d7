package login

import (
	"context"
	"crypto/rand"
	"log/slog"
	"slices"
	"time"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/notify"
	"servery/internal/queue"
	"servery/internal/site"
)

// DeviceLife is how long a browser is known after the last sign-in on it.
const DeviceLife = 256 * 24 * time.Hour

const (
	// challengeLife is how long the record of a code is stored; its limits look a day back.
	challengeLife = 24 * time.Hour
	// maxRequested is how many codes of a phone and budget are read, those that could not be sent
	// included. It is more than a customer requests in a day.
	maxRequested = 20
)

// Options are the parts of a [Service].
type Options struct {
	DB        *db.DB
	Queue     *queue.Queue
	Clock     clock.Clock
	Log       *slog.Logger
	Senders   notify.Senders
	Sessions  *customer.Sessions
	Customers *customer.Customers
	// Secret derives the codes; all processes have the same. See [OwnSecret].
	Secret []byte
	// Site finds a site by its alias.
	Site func(alias string) (*site.Site, bool)
	// Limits are the figures; nil means [DefaultLimits].
	Limits *Limits
}

// Service sends codes and signs in by them. It is safe for concurrent use.
type Service struct {
	db        *db.DB
	queue     *queue.Queue
	clock     clock.Clock
	log       *slog.Logger
	senders   notify.Senders
	sessions  *customer.Sessions
	customers *customer.Customers
	secret    []byte
	site      func(alias string) (*site.Site, bool)
	limits    Limits
	metrics   *metrics
	alarms    alarms
	// sendTimeout and retryPause pace the sending; tests shorten them.
	sendTimeout, retryPause time.Duration
}

// New returns the service and registers its jobs; it must be called before the queue starts.
func New(o Options) *Service {
	s := &Service{
		db: o.DB, queue: o.Queue, clock: o.Clock, log: o.Log, senders: o.Senders, sessions: o.Sessions, customers: o.Customers,
		secret: o.Secret, site: o.Site, limits: DefaultLimits(), metrics: newMetrics(), sendTimeout: sendTimeout, retryPause: retryPause,
	}
	if o.Limits != nil {
		s.limits = *o.Limits
	}
	queue.Handle(o.Queue, s.sendCode)
	return s
}

// OwnSecret returns the secret that the program creates at its first start and stores in the
// database. Processes that start at the same time get the same one.
func OwnSecret(ctx context.Context, d *db.DB, c clock.Clock) ([]byte, error) {
	candidate := make([]byte, secretBytes)
	_, _ = rand.Read(candidate) // crypto/rand never fails
	return findOrStoreSecret(ctx, d, "login", candidate, c.Now())
}

// Channels returns the channels by which codes can be sent to a customer of the site: those in its
// settings that have a sender. VK ID is not among them.
func (s *Service) Channels(st *site.Site) []notify.Channel {
	var channels []notify.Channel
	if !st.Settings.IsAuthEnabled {
		return nil
	}
	for _, c := range st.Settings.NotificationChannels {
		channel := notify.Channel(c)
		if c != site.ByVK && len(s.senders.Senders(st.Alias, channel)) > 0 && !slices.Contains(channels, channel) {
			channels = append(channels, channel)
		}
	}
	return channels
}

// RememberDevice makes a browser a known device of the phone, with a budget of its own from then
// on. It returns the secret for the cookie of that browser: the given one when the site has issued
// it, else a new one, because others may have the given secret.
func (s *Service) RememberDevice(ctx context.Context, tx *db.Tx, site, phone, device string) (string, error) {
	h, isIssued := tokenHash(device)
	if isIssued {
		var err error
		if isIssued, err = hasDevice(ctx, tx.Q, site, h); err != nil {
			return "", err
		}
	}
	if !isIssued {
		device, h = newToken()
	}
	return device, storeDevice(ctx, tx.Q, site, phoneHash(s.secret, site, phone), h, s.clock.Now())
}

// deviceOf returns the id of the known device of the phone that has the secret; 0 for an unknown
// browser.
func (s *Service) deviceOf(ctx context.Context, site, phone, device string, now time.Time) (int64, error) {
	h, ok := tokenHash(device)
	if !ok {
		return 0, nil
	}
	return findDevice(ctx, s.db.Read(), site, phoneHash(s.secret, site, phone), h, now.Add(-DeviceLife))
}

// budgetOf returns the key of the budget that a challenge counts against.
func (s *Service) budgetOf(c challenge) budgetKey {
	return budgetKey{c.site, phoneHash(s.secret, c.site, c.phone), c.deviceID}
}

// Erase deletes all rows about a phone at a site, with the limits on guessing.
func (s *Service) Erase(ctx context.Context, tx *db.Tx, site, phone string) error {
	return erasePhone(ctx, tx.Q, site, phone, phoneHash(s.secret, site, phone))
}

// Sweep deletes codes after a day, counts that bound nothing any more, and devices without a
// sign-in for [DeviceLife].
func (s *Service) Sweep(ctx context.Context) error {
	now := s.clock.Now()
	return sweepRows(ctx, s.db, sweepTimes{
		challenges: now.Add(-challengeLife), budgets: now.Add(-s.limits.Wrong.ForgottenAfter),
		devices: now.Add(-DeviceLife), traffic: now.Add(-usualFor - time.Hour), // an hour is counted under its beginning
	})
}
