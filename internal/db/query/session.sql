-- name: InsertSession :one
INSERT INTO session (token_hash, site, created_at, seen_at, expires_at)
VALUES (@token_hash, @site, @now, @now, @expires_at)
RETURNING id;

-- name: FindSession :one
SELECT id, seen_at, expires_at
FROM session
WHERE token_hash = @token_hash AND site = @site AND expires_at > @now;

-- name: TouchSession :exec
UPDATE session SET seen_at = @now, expires_at = @expires_at WHERE id = @id;

-- name: DeleteSession :exec
DELETE FROM session WHERE id = @id;

-- name: DeleteExpiredSessions :execrows
DELETE FROM session WHERE expires_at <= @now;

-- name: InsertIdempotency :execrows
-- No row is inserted when the key was used before.
INSERT INTO idempotency (session_id, key, request_hash, status, created_at)
VALUES (@session_id, @key, @request_hash, 0, @now)
ON CONFLICT (session_id, key) DO NOTHING;

-- name: GetIdempotency :one
SELECT request_hash, status, body
FROM idempotency
WHERE session_id = @session_id AND key = @key;

-- name: SaveIdempotentAnswer :exec
UPDATE idempotency SET status = @status, body = @body
WHERE session_id = @session_id AND key = @key;

-- name: DeleteOldIdempotency :execrows
DELETE FROM idempotency WHERE created_at < @before;
