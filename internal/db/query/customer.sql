-- name: FindCustomer :one
SELECT id, phone, name FROM customer WHERE site = @site AND phone = @phone;

-- name: GetCustomer :one
SELECT id, phone, name FROM customer WHERE id = @id;

-- name: InsertCustomer :exec
-- The one who is there already stays.
INSERT INTO customer (site, phone, name, created_at) VALUES (@site, @phone, '', @now)
ON CONFLICT (site, phone) DO NOTHING;

-- name: InsertSignInLink :exec
INSERT INTO sign_in_link (token_hash, customer_id, site, created_at, expires_at)
VALUES (@token_hash, @customer_id, @site, @now, @expires_at);

-- name: UseSignInLink :one
-- Of calls side by side the first gets the row; the others wait for it to end and get
-- none.
UPDATE sign_in_link SET used_at = @now
WHERE token_hash = @token_hash AND site = @site AND used_at IS NULL AND expires_at > @now
RETURNING customer_id;

-- name: DeleteExpiredSignInLinks :execrows
DELETE FROM sign_in_link WHERE expires_at <= @now;

-- name: InsertPresent :execrows
-- No row is inserted when the key was used before.
INSERT INTO present (site, customer_id, gift_id, count, key, created_at, expires_at)
VALUES (@site, @customer_id, @gift_id, @count, @key, @now, sqlc.narg(expires_at))
ON CONFLICT (site, key) DO NOTHING;

-- name: GetPresentByKey :one
SELECT id, customer_id, gift_id, count, expires_at FROM present WHERE site = @site AND key = @key;
