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

-- name: DeleteExpiredSessions :execrows
DELETE FROM session WHERE expires_at <= @now;

-- name: DeleteOldIdempotency :execrows
DELETE FROM idempotency WHERE created_at < @before;
