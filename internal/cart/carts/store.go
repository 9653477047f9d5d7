package carts

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

	"servery/internal/cart"
	"servery/internal/db"
	"servery/internal/db/gen"
	"servery/internal/site"
)

// keyPrefix keeps the keys of carts apart from those of other areas.
const keyPrefix = "cart "

// owner identifies a cart: whose it is, at which brand, in which city.
type owner struct {
	sessionID int64
	// customerID is 0 for a guest, whose cart is the session's.
	customerID int64
	// phone is the customer's or that of a guest's order, empty where there is none, and mark the hash that
	// stands for it.
	phone, mark string
	site        string
	cityID      int64
}

// storeKey returns the owner as the table of carts names it.
func (o owner) storeKey() string {
	if o.customerID != 0 {
		return "customer:" + strconv.FormatInt(o.customerID, 10)
	}
	return "session:" + strconv.FormatInt(o.sessionID, 10)
}

// storedCart is a cart from the database or from [memory], with what was read together with it.
type storedCart struct {
	cart cart.Cart
	body []byte
	// answeredHash is the hash of the request that was answered under the key before, nil when
	// there was none. answered is the cart of its answer, nil where the answer is the cart as it is
	// now.
	answeredHash []byte
	answered     []byte
	// isWaiting says that an order of the session or the customer in the city waits for its
	// payment, hasOrdered that either or the phone has any other order from the brand.
	isWaiting, hasOrdered bool
	phone                 string
	// hasCheckouts says that a checkout of the session in the city may hold an interval. It is set only where
	// the cart was read from the database.
	hasCheckouts bool
	// readAt is when it was read from the database, and isRecalled that it comes from [memory].
	readAt     time.Time
	isRecalled bool
}

// errVersionConflict says that another call has saved the cart first; the change is to be repeated.
var errVersionConflict = errors.New("the cart was changed by another call")

// noKey is the idempotency key for reading a cart without a stored answer.
const noKey = ""

// readCart reads the cart of an owner with what [storedCart] has beside it: the answer stored under
// the idempotency key, whether an order of the owner waits for its payment, whether the owner has
// ordered before, and whether checkouts may hold an interval at now. The cart is empty when there is
// none. It returns [db.ErrNotFound] when the session does not exist any more.
func readCart(ctx context.Context, q *gen.Queries, o owner, key string, now time.Time) (storedCart, error) {
	row, err := q.ReadCart(ctx, gen.ReadCartParams{
		Owner: o.storeKey(), Site: o.site, CityID: o.cityID, Key: keyPrefix + key, SessionID: o.sessionID,
		CustomerID: o.customerID, Phone: o.phone, Mark: o.mark, Now: now,
	})
	if err != nil {
		return storedCart{}, fmt.Errorf("read cart: %w", err)
	}
	s := storedCart{
		body: row.Body, answeredHash: row.AnsweredHash, answered: row.AnsweredBody,
		isWaiting: row.IsWaiting != 0, hasOrdered: row.HasOrdered != 0, phone: o.phone, hasCheckouts: row.HasCheckouts != 0,
	}
	s.cart, err = parseCart(row.Body, o.cityID)
	s.cart.Version = row.Version
	return s, err
}

// readCartOnly reads the cart of an owner, without answers and orders. Its version is 0 when there is
// none.
func readCartOnly(ctx context.Context, q *gen.Queries, o owner) (storedCart, error) {
	row, err := q.GetCart(ctx, gen.GetCartParams{Owner: o.storeKey(), Site: o.site, CityID: o.cityID})
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return storedCart{}, fmt.Errorf("read cart: %w", err)
	}
	c, err := parseCart(row.Body, o.cityID)
	c.Version = row.Version
	return storedCart{cart: c, body: row.Body}, err
}

// sessionCart is a cart that belonged to a session.
type sessionCart struct {
	site string
	cart cart.Cart
}

// detachSessionCarts removes the carts of a session and returns them in the order of site and city,
// so that two concurrent sign-ins of one customer do not deadlock.
func detachSessionCarts(ctx context.Context, q *gen.Queries, sessionID int64) ([]sessionCart, error) {
	rows, err := q.TakeSessionCarts(ctx, sql.NullInt64{Int64: sessionID, Valid: true})
	if err != nil {
		return nil, fmt.Errorf("take the carts of a session: %w", err)
	}
	carts := make([]sessionCart, len(rows))
	for i, row := range rows {
		carts[i].site = row.Site
		if carts[i].cart, err = parseCart(row.Body, row.CityID); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(carts, func(a, b sessionCart) int {
		return cmp.Or(strings.Compare(a.site, b.site), cmp.Compare(a.cart.CityID, b.cart.CityID))
	})
	return carts, nil
}

// saveCart writes the cart, as body, over its version. It returns errVersionConflict when another
// call has saved it first.
func saveCart(ctx context.Context, q *gen.Queries, o owner, c cart.Cart, body []byte, now time.Time) error {
	if c.Version == 0 {
		return insertCart(ctx, q, o, body, now)
	}
	rows, err := q.UpdateCart(ctx, gen.UpdateCartParams{
		Body: body, Now: now, Owner: o.storeKey(), Site: o.site, CityID: o.cityID, Version: c.Version,
	})
	return expectOneRow(rows, err, "save cart")
}

// insertCart writes the first version of a cart. A guest's cart is written only while the session
// belongs to a guest: a sign-in moves the session's carts to the customer, and afterwards none may be
// added. It returns errVersionConflict when there is a cart already, or the session has signed in.
func insertCart(ctx context.Context, q *gen.Queries, o owner, body []byte, now time.Time) error {
	params := gen.InsertCartParams{Site: o.site, CityID: o.cityID, Body: body, Now: now}
	if o.customerID != 0 {
		params.CustomerID = sql.NullInt64{Int64: o.customerID, Valid: true}
	} else {
		params.SessionID = sql.NullInt64{Int64: o.sessionID, Valid: true}
		rows, err := q.ClaimSession(ctx, o.sessionID)
		if err := expectOneRow(rows, err, "claim session"); err != nil {
			return err
		}
	}
	rows, err := q.InsertCart(ctx, params)
	return expectOneRow(rows, err, "insert cart")
}

// insertOfNewSession writes the first cart of a session that the same transaction has begun, and the answer,
// unless the request has no key.
func insertOfNewSession(ctx context.Context, tx *db.Tx, o owner, body []byte, a answer, now time.Time) error {
	err := tx.Later().InsertFirstCart(ctx, gen.InsertFirstCartParams{
		SessionID: sql.NullInt64{Int64: o.sessionID, Valid: true}, Site: o.site, CityID: o.cityID, Body: body, Now: now,
	})
	if err != nil {
		return fmt.Errorf("insert cart: %w", err)
	}
	if a.hash == nil {
		return nil
	}
	err = tx.Later().KeepFirstCartAnswer(ctx, gen.KeepFirstCartAnswerParams{
		SessionID: o.sessionID, Key: keyPrefix + a.key, RequestHash: a.hash, Body: a.body, Now: now,
	})
	if err != nil {
		return fmt.Errorf("keep the answer of the cart: %w", err)
	}
	return nil
}

// isGuestSession reports whether the session exists and is a guest's.
func isGuestSession(ctx context.Context, q *gen.Queries, sessionID int64) (bool, error) {
	count, err := q.CountGuestSession(ctx, sessionID)
	if err != nil {
		return false, fmt.Errorf("find guest's session: %w", err)
	}
	return count == 1, nil
}

// answer is what is stored under an idempotency key. hash is that of the request; it is nil when the
// request has no key. body is the cart that a repeated request returns. It is nil when that is the
// current cart, because a stored cart takes far more room than a hash.
type answer struct {
	key        string
	hash, body []byte
}

// storeAnswer stores the answer under its key in a transaction of its own, unless the request has no
// key. It returns errVersionConflict when the key was used by another call.
func storeAnswer(ctx context.Context, d *db.DB, o owner, a answer, now time.Time) error {
	if a.hash == nil {
		return nil
	}
	return d.InTx(ctx, func(tx *db.Tx) error { return insertAnswer(ctx, tx, o, a, now) })
}

// saveWithAnswer writes the cart, as body, over its version and stores the answer, both or
// neither. With isEmptied it also releases the time slots that checkouts of the cart hold. It
// returns errVersionConflict when another call was first or has used the key of the answer.
func saveWithAnswer(ctx context.Context, d *db.DB, o owner, c cart.Cart, body []byte, a answer, isEmptied bool, now time.Time) error {
	if d.Engine() == db.Postgres && c.Version > 0 && !isEmptied {
		if a.hash == nil {
			return saveCart(ctx, gen.New(d.Writer()), o, c, body, now)
		}
		return saveInOneStatement(ctx, d, o, c, body, a, now)
	}
	return d.InTx(ctx, func(tx *db.Tx) error {
		if isEmptied { // before the cart is written: placing an order locks them in this sequence
			if err := releaseCheckouts(ctx, tx, o); err != nil {
				return err
			}
		}
		if err := saveCart(ctx, tx.Q, o, c, body, now); err != nil || a.hash == nil {
			return err
		}
		return insertAnswer(ctx, tx, o, a, now)
	})
}

// postgresSave is UpdateCart, KeepCartAnswer and DeleteFormerKeys in one statement. A key that
// another call has used makes the whole statement fail, so that the cart is not saved either. The
// session, which the answer refers to, is locked before the cart, as a sign-in does; in the other
// order the two could deadlock. No part of the statement sees the new key, so 199 others stay.
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

// saveInOneStatement writes a cart that exists, as body, over its version and stores the answer, on
// PostgreSQL. It returns errVersionConflict when another call was first. One statement needs one
// round trip where a transaction of two statements needs four, which is most of the cost of adding
// to a cart.
func saveInOneStatement(ctx context.Context, d *db.DB, o owner, c cart.Cart, body []byte, a answer, now time.Time) error {
	result, err := d.Writer().ExecContext(ctx, postgresSave,
		body, now, o.storeKey(), o.site, o.cityID, c.Version, keyPrefix+a.key, a.hash, o.sessionID, a.body)
	if db.IsDuplicate(err, "idempotency") {
		return errVersionConflict
	}
	if err != nil {
		return fmt.Errorf("save cart: %w", err)
	}
	rows, err := result.RowsAffected()
	return expectOneRow(rows, err, "save cart")
}

// insertAnswer stores an answer, and deletes all but the newest keys of the session. It returns
// errVersionConflict when the key was used before.
func insertAnswer(ctx context.Context, tx *db.Tx, o owner, a answer, now time.Time) error {
	rows, err := tx.Q.KeepCartAnswer(ctx, gen.KeepCartAnswerParams{
		SessionID: o.sessionID, Key: keyPrefix + a.key, RequestHash: a.hash, Body: a.body, Now: now,
	})
	if err := expectOneRow(rows, err, "keep the answer of the cart"); err != nil {
		return err
	}
	if err := tx.Later().DeleteFormerKeys(ctx, o.sessionID); err != nil {
		return fmt.Errorf("delete former keys: %w", err)
	}
	return nil
}

// expectOneRow returns errVersionConflict when a statement changed no row, and its error with the
// name of the operation when it failed.
func expectOneRow(rows int64, err error, operation string) error {
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", operation, err)
	case rows == 0:
		return errVersionConflict
	}
	return nil
}

// noBody is the body of a cart that is not stored.
var noBody []byte

// parseCart returns the cart of a stored body, in a city. An empty body is an empty cart for delivery.
func parseCart(body []byte, cityID int64) (cart.Cart, error) {
	c := cart.Cart{CityID: cityID, OrderType: site.Delivery}
	if len(body) == 0 {
		return c, nil
	}
	if err := json.Unmarshal(body, &c); err != nil {
		return cart.Cart{}, fmt.Errorf("read cart: %w", err)
	}
	return c, nil
}
