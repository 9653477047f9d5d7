-- name: InsertAccessToken :execrows
INSERT INTO access_token (name, hash, site, shops, rights, created_at, expires_at)
VALUES (@name, @hash, @site, @shops, @rights, @now, @expires_at)
ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING;

-- name: EndExpiredAccessToken :exec
-- Frees the name of a token that is over.
UPDATE access_token SET revoked_at = expires_at WHERE name = @name AND revoked_at IS NULL AND expires_at <= @now;

-- name: FindAccessToken :one
SELECT id, name, site, shops, rights, created_at, expires_at, revoked_at, used_at FROM access_token WHERE hash = @hash;

-- name: GetAccessToken :one
SELECT id, name, site, shops, rights, created_at, expires_at, revoked_at, used_at FROM access_token WHERE id = @id;

-- name: ListAccessTokens :many
SELECT id, name, site, shops, rights, created_at, expires_at, revoked_at, used_at FROM access_token ORDER BY id DESC;

-- name: RevokeAccessToken :one
UPDATE access_token SET revoked_at = @now WHERE name = @name AND revoked_at IS NULL RETURNING site;

-- name: SetAccessTokenUsed :exec
UPDATE access_token SET used_at = @now WHERE id = @id;

-- name: DeleteOldAccessTokens :exec
DELETE FROM access_token WHERE expires_at < @before;
