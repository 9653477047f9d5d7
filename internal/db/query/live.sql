-- name: ListKitchenStates :many
SELECT site, shop_id, order_type, kind, minutes, until, reason, note, actor, created_at FROM kitchen_state
WHERE until > @now
ORDER BY site, shop_id, kind, order_type;

-- name: GetKitchenState :one
SELECT site, shop_id, order_type, kind, minutes, until, reason, note, actor, created_at FROM kitchen_state
WHERE site = @site AND shop_id = @shop_id AND order_type = @order_type AND kind = @kind;

-- name: UpsertKitchenState :exec
INSERT INTO kitchen_state (site, shop_id, order_type, kind, minutes, until, reason, note, actor, created_at)
VALUES (@site, @shop_id, @order_type, @kind, @minutes, @until, @reason, @note, @actor, @now)
ON CONFLICT (site, shop_id, order_type, kind)
DO UPDATE SET minutes = excluded.minutes, until = excluded.until, reason = excluded.reason, note = excluded.note,
    actor = excluded.actor, created_at = excluded.created_at;

-- name: DeleteKitchenState :exec
DELETE FROM kitchen_state WHERE site = @site AND shop_id = @shop_id AND order_type = @order_type AND kind = @kind;

-- name: DeleteEndedKitchenStates :exec
DELETE FROM kitchen_state WHERE until <= @now;

-- name: ListLivePrices :many
SELECT site, product, shop_id, price_list, order_type, price, until, reason, note, actor, created_at FROM live_price
WHERE until IS NULL OR until > @now
ORDER BY site, product, shop_id, price_list, order_type;

-- name: GetLivePrice :one
SELECT site, product, shop_id, price_list, order_type, price, until, reason, note, actor, created_at FROM live_price
WHERE site = @site AND product = @product AND shop_id = @shop_id AND price_list = @price_list AND order_type = @order_type;

-- name: UpsertLivePrice :exec
INSERT INTO live_price (site, product, shop_id, price_list, order_type, price, until, reason, note, actor, created_at)
VALUES (@site, @product, @shop_id, @price_list, @order_type, @price, sqlc.narg(until), @reason, @note, @actor, @now)
ON CONFLICT (site, product, shop_id, price_list, order_type)
DO UPDATE SET price = excluded.price, until = excluded.until, reason = excluded.reason, note = excluded.note,
    actor = excluded.actor, created_at = excluded.created_at;

-- name: DeleteLivePrice :exec
DELETE FROM live_price
WHERE site = @site AND product = @product AND shop_id = @shop_id AND price_list = @price_list AND order_type = @order_type;

-- name: DeleteEndedLivePrices :exec
DELETE FROM live_price WHERE until <= @now;

-- name: ListLiveAlerts :many
SELECT site, city_id, shop_id, texts, stops, until, reason, note, actor, created_at FROM live_alert
WHERE until IS NULL OR until > @now
ORDER BY site, city_id, shop_id;

-- name: GetLiveAlert :one
SELECT site, city_id, shop_id, texts, stops, until, reason, note, actor, created_at FROM live_alert
WHERE site = @site AND city_id = @city_id AND shop_id = @shop_id;

-- name: UpsertLiveAlert :exec
INSERT INTO live_alert (site, city_id, shop_id, texts, stops, until, reason, note, actor, created_at)
VALUES (@site, @city_id, @shop_id, @texts, @stops, sqlc.narg(until), @reason, @note, @actor, @now)
ON CONFLICT (site, city_id, shop_id)
DO UPDATE SET texts = excluded.texts, stops = excluded.stops, until = excluded.until, reason = excluded.reason,
    note = excluded.note, actor = excluded.actor, created_at = excluded.created_at;

-- name: DeleteLiveAlert :exec
DELETE FROM live_alert WHERE site = @site AND city_id = @city_id AND shop_id = @shop_id;

-- name: DeleteEndedLiveAlerts :exec
DELETE FROM live_alert WHERE until <= @now;
