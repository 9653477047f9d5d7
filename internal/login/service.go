package login

import (
	"context"
	"log/slog"
	"slices"

	"servery/internal/clock"
	"servery/internal/customer"
	"servery/internal/db"
	"servery/internal/fault"
	"servery/internal/notify"
	"servery/internal/queue"
	"servery/internal/site"
)

// Options are what a [Service] works with.
type Options struct {
	DB        *db.DB
	Queue     *queue.Queue
	Clock     clock.Clock
	Log       *slog.Logger
	Senders   notify.Senders
	Sessions  *customer.Sessions
	Customers *customer.Customers
	// Secret makes the codes; all processes have the same. See [Secret].
	Secret []byte
	// Brand gives the name that stands in a message of the site.
	Site func(alias string) (*site.Site, bool)
	// Limits are the figures; the zero value means [DefaultLimits].
	Limits Limits
}

// Service sends codes and signs in by them. It is safe for concurrent use.
type Service struct {
	Options
}

// New makes the service and takes on its jobs; it is called before the queue starts.
func New(o Options) *Service { return &Service{o} }

// Ask sends a code to a phone, which only this browser can tell. The answer is the same
// for a customer and a stranger, and also where the address has asked too often and
// nothing is sent. A code that this browser asked for before is dead from then on.
//
// Faults: those of phone (Invalid) at phone; login.channel (Invalid) at notify_channel for
// one that the site does not offer; login.too_many (TooMany) at phone, with the time to
// wait; login.captcha (Invalid) at captcha_user_token when the captcha must be solved first.
func (s *Service) Ask(_ context.Context, _ Ask) (Verification, error) {
	return Verification{}, fault.New(fault.NotFound, "common.not_found")
}

// Open gives the code that the session asked for last, as it stands; false when there is
// none that can still be told.
func (s *Service) Open(_ context.Context, _ string, _ int64) (Verification, bool, error) {
	return Verification{}, false, nil
}

// Telling is a code as a browser tells it.
type Telling struct {
	Site *site.Site
	// Token is the session's.
	Token string
	Code  string
	// Device is the secret of a browser that has signed in before, empty for none.
	Device string
}

// Check signs in by a code: the phone's customer is found or made, and the session becomes
// his as [customer.Sessions.SignInAs] says, with join in the same transaction. It gives the
// device's secret for its cookie: the one that was sent when it was known, else a new one.
//
// Faults, all at code: login.wrong_code (Invalid) with the tries left; login.code_dead
// (Invalid) for one that was used, is too old, had its tries or was asked for by another
// browser; login.too_many (TooMany) when the phone has had too many wrong codes;
// login.not_checked (Unavailable) when the provider that checks the codes does not answer:
// the try does not count.
func (s *Service) Check(
	_ context.Context, _ Telling, _ func(*db.Tx, customer.Session) error,
) (customer.SignedIn, string, error) {
	return customer.SignedIn{}, "", fault.New(fault.NotFound, "common.not_found")
}

// Channels gives the ways of signing in that the site names and that have a sender. VK ID
// is none of them.
func (s *Service) Channels(st *site.Site) []notify.Channel {
	var channels []notify.Channel
	for _, c := range st.Settings.NotificationChannels {
		channel := notify.Channel(c)
		if c != site.ByVK && len(s.Senders.Senders(st.Alias, channel)) > 0 && !slices.Contains(channels, channel) {
			channels = append(channels, channel)
		}
	}
	return channels
}

// Remember makes the browser one that the phone has signed in on before, which has a
// budget of its own from then on. device is its secret, empty or unknown for none; the one
// that it gives belongs into the cookie.
func (s *Service) Remember(_ context.Context, _ *db.Tx, _, _, device string) (string, error) {
	return device, nil
}

// Erase removes everything that is kept of a phone at a site.
func (s *Service) Erase(_ context.Context, _ *db.Tx, _, _ string) error { return nil }

// Sweep removes what has served its time: codes after a day, counts when they bound
// nothing any more.
func (s *Service) Sweep(_ context.Context) error { return nil }
