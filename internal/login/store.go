package login

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/lang"
	"servery/internal/notify"
)

// queries run inside a transaction or outside of one.
type queries = gen.Queries

// challenge is a code that a browser has requested.
type challenge struct {
	id, sessionID int64
	site, phone   string
	name          string
	channel       notify.Channel
	lang          lang.Lang
	host          string
	// deviceID is the known device that requested it, 0 for an unknown one.
	deviceID      int64
	address       string
	captchaPassed bool
	salt          []byte
	codeLength    int
	codeHash      []byte
	state         State
	// sender is the one that has accepted the code, empty before; ref is set where its provider checks
	// the code.
	sender, ref          string
	attempts             int
	createdAt, expiresAt time.Time
	used                 bool
}

// toChallenge returns the challenge of a row.
func toChallenge(row gen.LastLoginChallengeRow) challenge {
	return challenge{
		id: row.ID, sessionID: row.SessionID, site: row.Site, phone: row.Phone, name: row.Name,
		channel: notify.Channel(row.Channel), lang: lang.Lang(row.Lang), host: row.Host, deviceID: row.DeviceID,
		address: row.Address.String, captchaPassed: row.CaptchaPassed, salt: row.Salt,
		codeLength: int(row.CodeLength), codeHash: row.CodeHash, state: State(row.State), sender: row.Sender, ref: row.Ref,
		attempts: int(row.Tries), createdAt: row.CreatedAt, expiresAt: row.ExpiresAt, used: row.UsedAt.Valid,
	}
}

// insertChallenge stores a new challenge and returns its id; network is that of its address.
func insertChallenge(ctx context.Context, q *gen.Queries, c challenge, network string) (int64, error) {
	id, err := q.InsertLoginChallenge(ctx, gen.InsertLoginChallengeParams{
		Site: c.site, SessionID: c.sessionID, Phone: c.phone, Name: c.name, Channel: string(c.channel), Lang: string(c.lang),
		Host: c.host, DeviceID: c.deviceID, Address: orNull(c.address), Network: orNull(network), CaptchaPassed: c.captchaPassed,
		Salt: c.salt, CodeLength: int64(c.codeLength), CodeHash: c.codeHash, State: string(c.state), Now: c.createdAt, ExpiresAt: c.expiresAt,
	})
	if err != nil {
		return 0, fmt.Errorf("insert login challenge: %w", err)
	}
	return id, nil
}

// orNull returns the text as a column value, NULL when it is empty.
func orNull(text string) sql.NullString { return sql.NullString{String: text, Valid: text != ""} }

// lastChallenge returns the challenge that a session has requested last; false when there is none.
func lastChallenge(ctx context.Context, q *gen.Queries, site string, sessionID int64) (challenge, bool, error) {
	row, err := q.LastLoginChallenge(ctx, gen.LastLoginChallengeParams{SessionID: sessionID, Site: site})
	if errors.Is(err, db.ErrNotFound) {
		return challenge{}, false, nil
	}
	if err != nil {
		return challenge{}, false, fmt.Errorf("find login challenge: %w", err)
	}
	return toChallenge(row), true, nil
}

// claimSend claims the sending of a code. It reports false when another job has claimed it, or when
// it was requested before the given instant.
func claimSend(ctx context.Context, q *gen.Queries, id int64, now, after time.Time) (challenge, bool, error) {
	row, err := q.ClaimLoginSend(ctx, gen.ClaimLoginSendParams{ID: id, Now: sql.NullTime{Time: now, Valid: true}, After: after})
	if errors.Is(err, db.ErrNotFound) {
		return challenge{}, false, nil
	}
	if err != nil {
		return challenge{}, false, fmt.Errorf("claim login code: %w", err)
	}
	return toChallenge(gen.LastLoginChallengeRow(row)), true, nil
}

// finishSend stores the outcome of sending a code.
func finishSend(ctx context.Context, q *gen.Queries, c challenge) error {
	err := q.FinishLoginSend(ctx, gen.FinishLoginSendParams{
		ID: c.id, State: string(c.state), Sender: c.sender, Ref: c.ref, CodeLength: int64(c.codeLength), CodeHash: c.codeHash,
	})
	if err != nil {
		return fmt.Errorf("finish login code: %w", err)
	}
	return nil
}

// sentCode is the state of a requested code and when it was requested.
type sentCode struct {
	state State
	at    time.Time
}

// listRequested returns the newest codes requested for the phone and within the budget of c since
// an instant, at most maxRequested.
func listRequested(ctx context.Context, q *gen.Queries, c challenge, after time.Time) ([]sentCode, error) {
	rows, err := q.ListLoginSends(ctx, gen.ListLoginSendsParams{
		Site: c.site, Phone: c.phone, DeviceID: c.deviceID, SessionID: c.sessionID, After: after,
	})
	if err != nil {
		return nil, fmt.Errorf("list login codes: %w", err)
	}
	list := make([]sentCode, len(rows))
	for i, row := range rows {
		list[i] = sentCode{State(row.State), row.CreatedAt}
	}
	return list, nil
}

// requestCounts counts the codes that were requested: those to be sent, and those that were withheld.
type requestCounts struct{ sent, withheld int }

// countRequested returns how many codes were requested from an address and from its network since an
// instant.
func countRequested(ctx context.Context, q *gen.Queries, address, network string, after time.Time) (ofAddress, ofNetwork requestCounts, err error) {
	a, err := q.CountLoginAddress(ctx, gen.CountLoginAddressParams{Address: orNull(address), After: after})
	if err != nil {
		return ofAddress, ofNetwork, fmt.Errorf("count codes of an address: %w", err)
	}
	n, err := q.CountLoginNetwork(ctx, gen.CountLoginNetworkParams{Network: orNull(network), After: after})
	if err != nil {
		return ofAddress, ofNetwork, fmt.Errorf("count codes of a network: %w", err)
	}
	return requestCounts{int(a.Sent), int(a.Withheld)}, requestCounts{int(n.Sent), int(n.Withheld)}, nil
}

// findAddressSend returns when the nth newest of the codes of an address that were not withheld was
// requested; the zero time when there are fewer since an instant.
func findAddressSend(ctx context.Context, q *gen.Queries, address string, nth int, after time.Time) (time.Time, error) {
	at, err := q.FindLoginAddressSend(ctx, gen.FindLoginAddressSendParams{Address: orNull(address), After: after, Skip: int64(nth - 1)})
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return time.Time{}, fmt.Errorf("find code of an address: %w", err)
	}
	return at, nil
}

// findNetworkSend returns when the nth newest of the codes of a network that were not withheld was
// requested; the zero time when there are fewer since an instant.
func findNetworkSend(ctx context.Context, q *gen.Queries, network string, nth int, after time.Time) (time.Time, error) {
	at, err := q.FindLoginNetworkSend(ctx, gen.FindLoginNetworkSendParams{Network: orNull(network), After: after, Skip: int64(nth - 1)})
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return time.Time{}, fmt.Errorf("find code of a network: %w", err)
	}
	return at, nil
}

// countAttempt counts an attempt with a code and returns how many there were, this one included. It
// counts nothing and reports false when the limit is reached.
func countAttempt(ctx context.Context, q *gen.Queries, id int64, limit int, now time.Time) (int, bool, error) {
	tries, err := q.TakeLoginTry(ctx, gen.TakeLoginTryParams{ID: id, Most: int64(limit), Now: now})
	if errors.Is(err, db.ErrNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("count login attempt: %w", err)
	}
	return int(tries), true, nil
}

// uncountAttempt decreases the number of attempts with a code by one.
func uncountAttempt(ctx context.Context, q *gen.Queries, id int64) error {
	if err := q.GiveBackLoginTry(ctx, id); err != nil {
		return fmt.Errorf("return login attempt: %w", err)
	}
	return nil
}

// useChallenge uses a code up. It reports false when that has been done before.
func useChallenge(ctx context.Context, q *gen.Queries, id int64, now time.Time) (bool, error) {
	rows, err := q.UseLoginChallenge(ctx, gen.UseLoginChallengeParams{ID: id, Now: sql.NullTime{Time: now, Valid: true}})
	if err != nil {
		return false, fmt.Errorf("use login code: %w", err)
	}
	return rows > 0, nil
}

// findOrStoreSecret returns the stored secret of that name. When there is none, it stores candidate
// and returns it.
func findOrStoreSecret(ctx context.Context, d *db.DB, name string, candidate []byte, now time.Time) (value []byte, err error) {
	err = d.InTx(ctx, func(tx *db.Tx) error {
		// This does nothing when a secret is stored already.
		if err := tx.Q.InsertSecret(ctx, gen.InsertSecretParams{Name: name, Value: candidate, Now: now}); err != nil {
			return err
		}
		value, err = tx.Q.GetSecret(ctx, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store the server's secret: %w", err)
	}
	return value, nil
}
