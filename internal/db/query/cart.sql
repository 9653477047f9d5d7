-- name: ReadCart :one
-- The cart of a session in a city, version 0 when there is none, and what was
-- answered under the idempotency key before. No row means that the session is gone.
SELECT c.body, CAST(COALESCE(c.version, 0) AS bigint) AS version,
       i.request_hash AS answered_hash, i.body AS answered_body
FROM session s
LEFT JOIN cart c ON c.session_id = s.id AND c.site = @site AND c.city_id = @city_id
LEFT JOIN idempotency i ON i.session_id = s.id AND i.key = @key
WHERE s.id = @session_id;

-- name: InsertCart :execrows
-- No row is inserted when another call was first.
INSERT INTO cart (session_id, site, city_id, body, version, updated_at)
VALUES (@session_id, @site, @city_id, @body, 1, @now)
ON CONFLICT (session_id, site, city_id) DO NOTHING;

-- name: UpdateCart :execrows
-- No row is changed when the cart is not of that version any more.
UPDATE cart SET body = @body, version = version + 1, updated_at = @now
WHERE session_id = @session_id AND site = @site AND city_id = @city_id AND version = @version;

-- name: KeepCartAnswer :execrows
-- No row is inserted when the key was used before.
INSERT INTO idempotency (session_id, key, request_hash, status, body, created_at)
VALUES (@session_id, @key, @request_hash, 200, @body, @now)
ON CONFLICT (session_id, key) DO NOTHING;
