package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"servery/internal/db"
	"servery/internal/db/gen"
)

// The brand and the city of the carts in the bare database.
const (
	bareSite = "bare"
	bareCity = 1
)

// limit is the fastest that a work could be: the same effect without the program, measured in the same run.
type limit struct {
	name  string
	steps []step
}

// limitsOfChange returns the limits of a change of a cart: a transaction of one row, and the statements of the
// change alone. On SQLite these also run in shared commits. The carts are as large as the program's. It
// creates tables and carts in the bare database.
func (b bench) limitsOfChange(ctx context.Context) ([]limit, error) {
	size, err := b.environment.cartBytes(ctx)
	if err != nil {
		return nil, err
	}
	if err := prepareBare(ctx, b.environment.bareDB, b.connections); err != nil {
		return nil, err
	}
	d := b.environment.bareDB
	limits := []limit{{name: "transaction of one row", steps: updateOneRow(ctx, d, b.connections)}}
	ownCommits, err := bareChanges(ctx, d, b.connections, size, ownCommit(d))
	if err != nil {
		return nil, err
	}
	limits = append(limits, limit{"the same statements", ownCommits})
	if d.Engine() == db.SQLite {
		var sharedCommits []step
		if sharedCommits, err = bareChanges(ctx, d, b.connections, size, d.InTx); err != nil {
			return nil, err
		}
		limits = append(limits, limit{"the same, sharing commits", sharedCommits})
	}
	return limits, nil
}

// cartBytes returns the average size of a cart in the program's database, in bytes.
func (g *environment) cartBytes(ctx context.Context) (size int, err error) {
	d, err := db.Open(ctx, db.Config{URL: g.url, Dir: g.data, Connections: 1})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	err = d.Reader().QueryRowContext(ctx, "SELECT CAST(AVG(LENGTH(body)) AS integer) FROM cart").Scan(&size)
	return size, err
}

// transact runs do in a transaction and commits it.
type transact func(ctx context.Context, do func(tx *db.Tx) error) error

// ownCommit returns a transact whose transactions share no commit: each waits for the disk itself.
func ownCommit(d *db.DB) transact {
	return func(ctx context.Context, do func(tx *db.Tx) error) error {
		return inTx(ctx, d, func(tx *sql.Tx) error { return do(&db.Tx{Q: gen.New(tx), SQL: tx, Engine: d.Engine()}) })
	}
}

// bareChanges stores a session and a cart for each connection, and returns a step for each. A step runs
// only the queries of a change of that cart: read cart and key, write both. run commits them; PostgreSQL
// needs no run, because there one statement writes both.
func bareChanges(ctx context.Context, d *db.DB, connections, size int, run transact) ([]step, error) {
	body := bytes.Repeat([]byte("x"), size)
	steps := make([]step, connections)
	for i := range steps {
		session, err := beginBare(ctx, d, body)
		if err != nil {
			return nil, err
		}
		steps[i] = func() error { return session.change(ctx, d, body, run) }
	}
	return steps, nil
}

// bareSession is a visitor with a cart, without the program around it.
type bareSession struct {
	id    int64
	owner string
}

// beginBare stores a session with a cart whose content is body.
func beginBare(ctx context.Context, d *db.DB, body []byte) (bareSession, error) {
	var s bareSession
	err := d.InTx(ctx, func(tx *db.Tx) (err error) {
		now := time.Now()
		token := sha256.Sum256(fmt.Append(nil, keys.Add(1)))
		s.id, err = tx.Q.InsertSession(ctx, gen.InsertSessionParams{TokenHash: token[:], Site: bareSite, Now: now, ExpiresAt: now.Add(time.Hour)})
		if err != nil {
			return err
		}
		s.owner = fmt.Sprintf("session:%d", s.id)
		_, err = tx.Q.InsertCart(ctx, gen.InsertCartParams{
			SessionID: sql.NullInt64{Int64: s.id, Valid: true}, Site: bareSite, CityID: bareCity, Body: body, Now: now,
		})
		return err
	})
	return s, err
}

// change reads the session's cart and stores body as its next version, with a new idempotency key. run commits
// it on SQLite.
func (s bareSession) change(ctx context.Context, d *db.DB, body []byte, run transact) error {
	key, now := fmt.Sprintf("cart %032x", keys.Add(1)), time.Now()
	hash := sha256.Sum256([]byte(key))
	found, err := d.Read().ReadCart(ctx, gen.ReadCartParams{Owner: s.owner, Site: bareSite, CityID: bareCity, Key: key, SessionID: s.id})
	if err != nil {
		return err
	}
	if d.Engine() == db.Postgres { // one statement needs no transaction around it, so run is not used
		_, err = d.Writer().ExecContext(ctx, postgresSave, body, now, s.owner, bareSite, bareCity, found.Version, key, hash[:], s.id, []byte{})
		return err
	}
	return run(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.UpdateCart(ctx, gen.UpdateCartParams{
			Body: body, Now: now, Owner: s.owner, Site: bareSite, CityID: bareCity, Version: found.Version,
		})
		if err != nil {
			return err
		}
		_, err = tx.Q.KeepCartAnswer(ctx, gen.KeepCartAnswerParams{SessionID: s.id, Key: key, RequestHash: hash[:], Body: []byte{}, Now: now})
		if err != nil {
			return err
		}
		return tx.Q.DeleteFormerKeys(ctx, s.id)
	})
}

// postgresSave is a copy of the statement in internal/cart/carts/store.go; a test compares them.
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
