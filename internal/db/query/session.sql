-- name: InsertSession :one
INSERT INTO session (token_hash, site, created_at, seen_at, expires_at)
VALUES (@token_hash, @site, @now, @now, @expires_at)
RETURNING id;

-- name: InsertSignedInSession :one
INSERT INTO session (token_hash, site, customer_id, created_at, seen_at, expires_at, former_token_hash, rotated_at)
VALUES (@token_hash, @site, @customer_id, @now, @now, @expires_at, @former_token_hash, @now)
RETURNING id;

-- name: FindSession :one
-- customer_id is 0 and phone empty for a guest.
SELECT s.id, s.seen_at, s.expires_at,
       CAST(COALESCE(s.customer_id, 0) AS bigint) AS customer_id, CAST(COALESCE(c.phone, '') AS text) AS phone
FROM session s
LEFT JOIN customer c ON c.id = s.customer_id
WHERE s.token_hash = @token_hash AND s.site = @site AND s.expires_at > @now;

-- name: FindRotatedSession :one
SELECT id FROM session
WHERE former_token_hash = @token_hash AND site = @site AND rotated_at > @after
LIMIT 1;

-- name: TouchSession :exec
UPDATE session SET seen_at = @now, expires_at = @expires_at WHERE id = @id;

-- name: RotateSession :one
-- Gives a guest's session, or one that is the customer's already, to the customer under
-- another token. No row when it is another customer's or was rotated meanwhile.
UPDATE session SET token_hash = @new_hash, customer_id = @customer_id, seen_at = @now, expires_at = @expires_at,
    former_token_hash = @token_hash, rotated_at = @now
WHERE token_hash = @token_hash AND site = @site AND expires_at > @now
    AND (customer_id IS NULL OR customer_id = @customer_id)
RETURNING id;

-- name: EndSession :exec
UPDATE session SET expires_at = @now WHERE token_hash = @token_hash AND site = @site AND expires_at > @now;

-- name: DeleteExpiredSessions :execrows
-- One that a customer's address still hangs on waits until they are parted.
DELETE FROM session
WHERE expires_at <= @now AND NOT EXISTS (
    SELECT 1 FROM delivery_address a WHERE a.session_id = session.id AND a.customer_id IS NOT NULL
);

-- name: DeleteOldIdempotency :execrows
DELETE FROM idempotency WHERE created_at < @before;
