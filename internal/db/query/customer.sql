-- name: FindCustomer :one
SELECT id, phone, name FROM customer WHERE site = @site AND phone = @phone;

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

-- name: GetUsedSignInLink :one
SELECT customer_id FROM sign_in_link
WHERE token_hash = @token_hash AND site = @site AND used_at IS NOT NULL AND expires_at > @now;

-- name: DeleteExpiredSignInLinks :execrows
DELETE FROM sign_in_link WHERE token_hash IN (
    SELECT d.token_hash FROM sign_in_link d WHERE d.expires_at <= @now LIMIT 500
);

-- name: InsertPresent :execrows
-- No row is inserted when the key was used before.
INSERT INTO present (site, customer_id, gift_id, count, key, created_at, expires_at)
VALUES (@site, @customer_id, @gift_id, @count, @key, @now, sqlc.narg(expires_at))
ON CONFLICT (site, key) DO NOTHING;

-- name: GetPresentByKey :one
SELECT id, customer_id, gift_id, count, expires_at FROM present WHERE site = @site AND key = @key;

-- name: GetProfile :one
-- No row for one who is erased.
SELECT id, phone, name, sex, birthday, email FROM customer
WHERE id = @id AND site = @site AND erased_at IS NULL;

-- name: LockProfile :one
-- From here to the end of the transaction nobody else changes the customer.
UPDATE customer SET name = name WHERE id = @id AND site = @site AND erased_at IS NULL
RETURNING id, phone, name, sex, birthday, email;

-- name: LockCustomerByPhone :one
-- No row for one who is erased. From here to the end of the transaction nobody else changes the customer.
UPDATE customer SET name = name WHERE site = @site AND phone = @phone AND erased_at IS NULL
RETURNING id, phone, name;

-- name: SaveProfile :exec
UPDATE customer SET name = @name, sex = @sex, birthday = @birthday, email = @email WHERE id = @id;

-- name: NameCustomer :exec
-- Only who has no name yet is given one.
UPDATE customer SET name = @name WHERE id = @id AND name = '' AND erased_at IS NULL;

-- name: InsertConsentAnswer :exec
INSERT INTO consent_answer (customer_id, kind, version, is_given, address, at)
VALUES (@customer_id, @kind, @version, @is_given, @address, @now);

-- name: ListConsentAnswers :many
-- The newest first.
SELECT kind, version, is_given, address, at FROM consent_answer
WHERE customer_id = @customer_id
ORDER BY id DESC;

-- name: ListAllPresents :many
-- Those used and ended too, the newest first.
SELECT id, gift_id, count, expires_at FROM present
WHERE customer_id = @customer_id AND site = @site
ORDER BY id DESC;

-- name: ClaimExport :execrows
-- No row is changed when the customer has had an export since.
INSERT INTO customer_export (customer_id, exported_at) VALUES (@customer_id, @now)
ON CONFLICT (customer_id) DO UPDATE SET exported_at = excluded.exported_at
WHERE customer_export.exported_at <= @before;

-- name: GetExportedAt :one
SELECT exported_at FROM customer_export WHERE customer_id = @customer_id;

-- name: DeleteOldExports :execrows
DELETE FROM customer_export WHERE customer_id IN (
    SELECT d.customer_id FROM customer_export d WHERE d.exported_at < @before LIMIT 500
);

-- name: EraseCustomer :exec
UPDATE customer SET phone = @phone, name = '', sex = '', birthday = '', email = '', seen_at = NULL, erased_at = @now
WHERE id = @id;

-- name: DeleteConsentAnswers :exec
DELETE FROM consent_answer WHERE customer_id = @customer_id;

-- name: DeleteSignInLinks :exec
DELETE FROM sign_in_link WHERE customer_id = @customer_id;

-- name: DeletePresents :exec
DELETE FROM present WHERE customer_id = @customer_id;

-- name: DeleteCartsOfErased :exec
-- What calls that were under way have kept after the erasure.
DELETE FROM cart WHERE customer_id IN (SELECT c.id FROM customer c WHERE c.erased_at > @after);

-- name: DeleteAddressesOfErased :exec
DELETE FROM delivery_address WHERE customer_id IN (SELECT c.id FROM customer c WHERE c.erased_at > @after);
