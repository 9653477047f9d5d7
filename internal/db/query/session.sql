-- name: InsertSession :one
INSERT INTO session (token_hash, site, created_at, seen_at, expires_at)
VALUES (@token_hash, @site, @now, @now, @expires_at)
RETURNING id;

-- name: InsertSignedInSession :one
INSERT INTO session (token_hash, site, customer_id, created_at, seen_at, expires_at, former_token_hash, rotated_at, signed_in_at)
VALUES (@token_hash, @site, @customer_id, @now, @now, @expires_at, @former_token_hash, @now, @now)
RETURNING id;

-- name: FindSession :one
-- customer_id is 0 and phone empty for a guest. A sign-in that an erasure has overtaken is
-- nobody's.
SELECT s.id, s.seen_at, s.expires_at,
       CAST(COALESCE(s.customer_id, 0) AS bigint) AS customer_id, CAST(COALESCE(c.phone, '') AS text) AS phone
FROM session s
LEFT JOIN customer c ON c.id = s.customer_id
WHERE s.token_hash = @token_hash AND s.site = @site AND s.expires_at > @now AND c.erased_at IS NULL;

-- name: FindRotatedSession :one
SELECT id FROM session
WHERE former_token_hash = @token_hash AND site = @site AND rotated_at > @after
LIMIT 1;

-- name: TouchSession :exec
UPDATE session SET seen_at = @now, expires_at = @expires_at WHERE id = @id;

-- name: RotateSession :one
-- Puts a session that is the customer's already under another token. No row when it is not
-- theirs or was rotated meanwhile.
UPDATE session SET token_hash = @new_hash, seen_at = @now, expires_at = @expires_at,
    former_token_hash = @token_hash, rotated_at = @now, signed_in_at = @now
WHERE token_hash = @token_hash AND site = @site AND expires_at > @now AND customer_id = CAST(@customer_id AS bigint)
RETURNING id;

-- name: EndGuestSession :one
-- Ends a guest's session, whose customer signs in. It is theirs from then on, so that no call of
-- the guest's that is under way begins a cart in it.
UPDATE session SET expires_at = @now, customer_id = @customer_id
WHERE token_hash = @token_hash AND site = @site AND expires_at > @now AND customer_id IS NULL
RETURNING id;

-- name: MoveAnswers :exec
-- What a guest's call was answered with is the answer to the customer's, too.
UPDATE idempotency SET session_id = @session_id WHERE session_id = @guest_id;

-- name: EndSession :exec
UPDATE session SET expires_at = @now WHERE token_hash = @token_hash AND site = @site AND expires_at > @now;

-- name: DescribeSession :exec
UPDATE session SET device = @device WHERE id = @id;

-- name: ListSessions :many
-- Where a customer is signed in, the one seen last first.
SELECT id, device, signed_in_at, created_at, seen_at
FROM session
WHERE customer_id = CAST(@customer_id AS bigint) AND site = @site AND expires_at > @now
ORDER BY seen_at DESC, id DESC;

-- name: ClaimCustomersSession :execrows
-- Waits for a logout or an erasure to end. No row is changed when the session is the
-- customer's no more.
UPDATE session SET seen_at = seen_at
WHERE id = @id AND customer_id = CAST(@customer_id AS bigint) AND expires_at > @now;

-- name: EndSessionOf :execrows
UPDATE session SET expires_at = @now
WHERE id = @id AND customer_id = CAST(@customer_id AS bigint) AND site = @site AND expires_at > @now;

-- name: EndOtherSessionsOf :exec
UPDATE session SET expires_at = @now
WHERE customer_id = CAST(@customer_id AS bigint) AND site = @site AND id <> @current_id AND expires_at > @now;

-- name: DeleteSessionsOf :many
-- With them go what hangs on a session: answers, guest's carts, checkouts, grants, addresses.
DELETE FROM session WHERE customer_id = CAST(@customer_id AS bigint) RETURNING id;

-- name: DeleteExpiredSessions :execrows
-- One that a customer's address still hangs on waits until they are parted.
DELETE FROM session WHERE id IN (
    SELECT s.id FROM session s
    WHERE s.expires_at <= @now AND NOT EXISTS (
        SELECT 1 FROM delivery_address a WHERE a.session_id = s.id AND a.customer_id IS NOT NULL
    )
    LIMIT 500
);

-- name: KeepIdleSessions :execrows
-- Of the guests' sessions that were idle for longest, marks those that have an order or an address.
UPDATE session SET is_kept = TRUE WHERE id IN (
    SELECT s.id FROM session s
    WHERE s.customer_id IS NULL AND NOT s.is_kept AND s.seen_at < @before
    ORDER BY s.seen_at LIMIT 500
) AND (EXISTS (SELECT 1 FROM orders o WHERE o.session_id = session.id)
    OR EXISTS (SELECT 1 FROM order_archive r WHERE r.session_id = session.id)
    OR EXISTS (SELECT 1 FROM delivery_address a WHERE a.session_id = session.id));

-- name: DeleteIdleSessions :execrows
-- Removes guests' sessions that were idle for long, the longest first. One that is used
-- meanwhile stays.
DELETE FROM session WHERE id IN (
    SELECT s.id FROM session s
    WHERE s.customer_id IS NULL AND NOT s.is_kept AND s.seen_at < @before
    ORDER BY s.seen_at LIMIT 500
) AND session.customer_id IS NULL AND session.seen_at < @before
    AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.session_id = session.id)
    AND NOT EXISTS (SELECT 1 FROM order_archive r WHERE r.session_id = session.id)
    AND NOT EXISTS (SELECT 1 FROM delivery_address a WHERE a.session_id = session.id);

-- name: DeleteOldIdempotency :execrows
DELETE FROM idempotency WHERE (session_id, key) IN (
    SELECT i.session_id, i.key FROM idempotency i WHERE i.created_at < @before LIMIT 500
);
