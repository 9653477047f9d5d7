package cart

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/site"
)

// keyPrefix keeps the keys of carts apart from those of other areas.
const keyPrefix = "cart "

// owner is whose cart in which city.
type owner struct {
	sessionID int64
	// customerID is 0 for a guest, whose cart is the session's.
	customerID int64
	// phone is the customer's, and mark what stands for it.
	phone, mark string
	site        string
	cityID      int64
}

// name is what the cart is found by.
func (o owner) name() string {
	if o.customerID != 0 {
		return "customer:" + strconv.FormatInt(o.customerID, 10)
	}
	return "session:" + strconv.FormatInt(o.sessionID, 10)
}

// stored is what the database has of a cart.
type stored struct {
	cart Cart
	body []byte
	// answeredHash is of the request that was answered under the key before, nil when none
	// was. answered is the cart of its answer, nil where the answer is the cart as it stands.
	answeredHash []byte
	answered     []byte
	// isWaiting says that an order of the session or the customer in the city waits for its
	// payment, hasOrdered that either has any other order from the brand.
	isWaiting, hasOrdered bool
	// readAt is when the database said so, and isRecalled that it is not asked again: see [memory].
	readAt     time.Time
	isRecalled bool
}

// errLost says that another call was first; the change is to be made anew.
var errLost = errors.New("the cart was changed meanwhile")

func read(ctx context.Context, q *gen.Queries, o owner, key string) (stored, error) {
	row, err := q.ReadCart(ctx, gen.ReadCartParams{
		Owner: o.name(), Site: o.site, CityID: o.cityID, Key: keyPrefix + key, SessionID: o.sessionID,
		CustomerID: o.customerID, Phone: o.phone, Mark: o.mark,
	})
	if err != nil {
		return stored{}, fmt.Errorf("read cart: %w", err)
	}
	s := stored{body: row.Body, answeredHash: row.AnsweredHash, answered: row.AnsweredBody, isWaiting: row.IsWaiting != 0, hasOrdered: row.HasOrdered != 0}
	s.cart, err = parse(row.Body, o.cityID)
	s.cart.Version = row.Version
	return s, err
}

// readOwn reads a cart by its owner alone; version 0 is none.
func readOwn(ctx context.Context, q *gen.Queries, o owner) (stored, error) {
	row, err := q.GetCart(ctx, gen.GetCartParams{Owner: o.name(), Site: o.site, CityID: o.cityID})
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return stored{}, fmt.Errorf("read cart: %w", err)
	}
	c, err := parse(row.Body, o.cityID)
	c.Version = row.Version
	return stored{cart: c, body: row.Body}, err
}

// visited is a cart that belonged to a session.
type visited struct {
	site string
	cart Cart
}

// takeFromSession takes the carts away from a session, in the order of their cities: two
// that sign in one customer side by side then do not wait for each other.
func takeFromSession(ctx context.Context, q *gen.Queries, sessionID int64) ([]visited, error) {
	rows, err := q.TakeSessionCarts(ctx, sql.NullInt64{Int64: sessionID, Valid: true})
	if err != nil {
		return nil, fmt.Errorf("take the carts of a session: %w", err)
	}
	carts := make([]visited, len(rows))
	for i, row := range rows {
		carts[i].site = row.Site
		if carts[i].cart, err = parse(row.Body, row.CityID); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(carts, func(a, b visited) int {
		return cmp.Or(strings.Compare(a.site, b.site), cmp.Compare(a.cart.CityID, b.cart.CityID))
	})
	return carts, nil
}

// save writes the cart over its version. It gives errLost when another call was
// first.
func save(ctx context.Context, q *gen.Queries, o owner, c Cart, body []byte, now time.Time) error {
	if c.Version == 0 {
		return insert(ctx, q, o, body, now)
	}
	rows, err := q.UpdateCart(ctx, gen.UpdateCartParams{
		Body: body, Now: now, Owner: o.name(), Site: o.site, CityID: o.cityID, Version: c.Version,
	})
	return one(rows, err, "save cart")
}

// insert writes the first version of a cart. A guest's is written only while the session
// is a guest's: a sign-in takes the session's carts with it, and none may come after.
func insert(ctx context.Context, q *gen.Queries, o owner, body []byte, now time.Time) error {
	cart := gen.InsertCartParams{Site: o.site, CityID: o.cityID, Body: body, Now: now}
	if o.customerID != 0 {
		cart.CustomerID = sql.NullInt64{Int64: o.customerID, Valid: true}
	} else {
		cart.SessionID = sql.NullInt64{Int64: o.sessionID, Valid: true}
		rows, err := q.ClaimSession(ctx, o.sessionID)
		if err := one(rows, err, "claim session"); err != nil {
			return err
		}
	}
	rows, err := q.InsertCart(ctx, cart)
	return one(rows, err, "insert cart")
}

// answer is what is kept under the key of the request with that hash: the cart that is the
// answer to the same request, nil for the cart as it stands then. Without a hash there is no
// key. A cart of many lines takes far more than a hash, and a visitor may send any number of keys.
type answer struct {
	key        string
	hash, body []byte
}

// keepAnswer keeps what is answered under the key. It returns errLost when the key was used
// meanwhile.
func keepAnswer(ctx context.Context, d *db.DB, o owner, a answer, now time.Time) error {
	if a.hash == nil {
		return nil
	}
	return d.InTx(ctx, func(tx *db.Tx) error { return keep(ctx, tx.Q, o, a, now) })
}

// saveWithAnswer writes the cart, as body, over its version and keeps the answer, both or
// neither, and with isEmptied releases what its checkouts hold. It returns errLost when
// another call was first.
func saveWithAnswer(ctx context.Context, d *db.DB, o owner, c Cart, body []byte, a answer, isEmptied bool, now time.Time) error {
	if d.Engine() == db.Postgres && c.Version > 0 && a.hash != nil && !isEmptied {
		return saveInOneStatement(ctx, d, o, c, body, a, now)
	}
	return d.InTx(ctx, func(tx *db.Tx) error {
		if isEmptied { // before the cart is written, in the order in which an order takes both
			if err := releaseCheckouts(ctx, tx, o); err != nil {
				return err
			}
		}
		if err := save(ctx, tx.Q, o, c, body, now); err != nil || a.hash == nil {
			return err
		}
		return keep(ctx, tx.Q, o, a, now)
	})
}

// postgresSave is UpdateCart, KeepCartAnswer and DeleteFormerKeys at once. A key that was used
// meanwhile is a refusal here, so that the cart is left alone too. The session, which the answer
// hangs on, is locked before the cart, as a sign-in does: the other way round each could
// wait for the other. The keys are counted without the new one, which no part of the statement
// sees.
const postgresSave = `
WITH visit AS (SELECT id FROM session WHERE id = $9 FOR KEY SHARE),
saved AS (
    UPDATE cart SET body = $1, version = version + 1, updated_at = $2
    FROM visit
    WHERE owner = $3 AND site = $4 AND city_id = $5 AND version = $6
    RETURNING version),
former AS (
    DELETE FROM idempotency WHERE EXISTS (SELECT 1 FROM saved) AND (session_id, key) IN (
        SELECT i.session_id, i.key FROM idempotency i WHERE i.session_id = $9
        ORDER BY i.created_at DESC, i.key DESC LIMIT 500 OFFSET 199))
INSERT INTO idempotency (session_id, key, request_hash, status, body, created_at)
SELECT $9, $7, $8, 200, $10, $2 FROM saved`

// saveInOneStatement goes to PostgreSQL once, where a transaction of two statements goes
// four times: that is most of what adding to a cart costs there.
func saveInOneStatement(ctx context.Context, d *db.DB, o owner, c Cart, body []byte, a answer, now time.Time) error {
	result, err := d.Writer().ExecContext(ctx, postgresSave,
		body, now, o.name(), o.site, o.cityID, c.Version, keyPrefix+a.key, a.hash, o.sessionID, a.body)
	if db.IsDuplicate(err, "idempotency") {
		return errLost
	}
	if err != nil {
		return fmt.Errorf("save cart: %w", err)
	}
	rows, err := result.RowsAffected()
	return one(rows, err, "save cart")
}

// keep keeps an answer, and of a session's keys the newest. It returns errLost when the key was
// used before.
func keep(ctx context.Context, q *gen.Queries, o owner, a answer, now time.Time) error {
	rows, err := q.KeepCartAnswer(ctx, gen.KeepCartAnswerParams{
		SessionID: o.sessionID, Key: keyPrefix + a.key, RequestHash: a.hash, Body: a.body, Now: now,
	})
	if err := one(rows, err, "keep the answer of the cart"); err != nil {
		return err
	}
	if err := q.DeleteFormerKeys(ctx, o.sessionID); err != nil {
		return fmt.Errorf("delete former keys: %w", err)
	}
	return nil
}

func one(rows int64, err error, operation string) error {
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", operation, err)
	case rows == 0:
		return errLost
	}
	return nil
}

// parse reads a cart's body; no body is an empty cart.
func parse(body []byte, cityID int64) (Cart, error) {
	c := Cart{CityID: cityID, OrderType: site.Delivery}
	if len(body) == 0 {
		return c, nil
	}
	if err := json.Unmarshal(body, &c); err != nil {
		return Cart{}, fmt.Errorf("read cart: %w", err)
	}
	return c, nil
}
