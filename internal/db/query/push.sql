-- name: SavePushSubscription :exec
-- A browser that subscribes again has other keys, or another language.
INSERT INTO push_subscription (order_id, session_id, endpoint, p256dh, auth, language, last_change, created_at)
VALUES (@order_id, @session_id, @endpoint, @p256dh, @auth, @language, @last_change, @now)
ON CONFLICT (order_id, endpoint) DO UPDATE SET
    session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth, language = excluded.language;

-- name: CountPushSubscriptions :one
SELECT COUNT(*) FROM push_subscription WHERE order_id = @order_id AND endpoint <> @endpoint;

-- name: ListPushSubscriptionsOfOrder :many
SELECT id FROM push_subscription WHERE order_id = @order_id ORDER BY id;

-- name: TakePushSubscription :execrows
-- Takes a change to be sent, unless it or a later one was taken.
UPDATE push_subscription SET last_change = @change_id WHERE id = @id AND last_change < @change_id;

-- name: ReturnPushSubscription :execrows
-- Lets a change that was not sent be taken again, unless a later one was taken.
UPDATE push_subscription SET last_change = @change_id - 1 WHERE id = @id AND last_change = @change_id;

-- name: GetPushSubscription :one
-- Of a session that has not ended.
SELECT p.order_id, p.endpoint, p.p256dh, p.auth, p.language
FROM push_subscription p
JOIN session s ON s.id = p.session_id
WHERE p.id = @id AND s.expires_at > @now;

-- name: DeletePushSubscription :exec
DELETE FROM push_subscription WHERE id = @id;

-- name: DeletePushSubscriptionsOfSession :exec
DELETE FROM push_subscription WHERE order_id = @order_id AND session_id = @session_id;

-- name: MovePushSubscriptions :exec
UPDATE push_subscription SET session_id = @session_id WHERE session_id = @guest_id;

-- name: DeleteOldPushSubscriptions :execrows
-- Those of a session go with the session.
DELETE FROM push_subscription WHERE id IN (
    SELECT p.id FROM push_subscription p WHERE p.created_at < @before LIMIT 500
);
