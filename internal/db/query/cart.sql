-- name: ReadCart :one
-- The cart of an owner in a city, version 0 when there is none, and the hash of the request that
-- the session has made under the idempotency key before. answered_body is the cart that was its
-- answer where that is kept. No row means that the session is gone.
-- is_waiting is 1 when an order of the session or of the customer in the city waits for its
-- payment. has_ordered is 1 when the brand has any other order, not canceled, of the session,
-- of the customer, who is 0 where there is none, or of the phone, which is empty where there is
-- none: to ask it with the cart costs less than a query of its own. mark is what stands for the phone in orders of an
-- account that was deleted. has_checkouts is 1 when the session has a checkout in the city that
-- became no order and may hold an interval yet.
SELECT c.body, CAST(COALESCE(c.version, 0) AS bigint) AS version,
       i.request_hash AS answered_hash, i.body AS answered_body,
       CAST(CASE WHEN EXISTS (SELECT 1 FROM orders o WHERE o.session_id = s.id AND o.site = @site AND o.city_id = @city_id
               AND o.state = 'waiting_for_payment') THEN 1
           WHEN CAST(@customer_id AS bigint) = 0 THEN 0
           WHEN EXISTS (SELECT 1 FROM orders o WHERE o.site = @site AND o.customer_id = @customer_id AND o.customer_id <> 0
               AND o.city_id = @city_id AND o.state = 'waiting_for_payment') THEN 1
           ELSE 0 END AS bigint) AS is_waiting,
       CAST(CASE WHEN EXISTS (SELECT 1 FROM orders o WHERE o.session_id = s.id AND o.site = @site AND o.state <> 'canceled'
               AND NOT (o.state = 'waiting_for_payment' AND o.city_id = @city_id)) THEN 1
           WHEN EXISTS (SELECT 1 FROM order_archive a WHERE a.session_id = s.id AND a.site = @site AND a.state <> 'canceled') THEN 1
           WHEN CAST(@customer_id AS bigint) <> 0 AND EXISTS (SELECT 1 FROM orders o WHERE o.site = @site AND o.customer_id = @customer_id
               AND o.customer_id <> 0 AND o.state <> 'canceled'
               AND NOT (o.state = 'waiting_for_payment' AND o.city_id = @city_id)) THEN 1
           WHEN CAST(@customer_id AS bigint) <> 0 AND EXISTS (SELECT 1 FROM order_archive a WHERE a.site = @site AND a.customer_id = @customer_id
               AND a.customer_id <> 0 AND a.state <> 'canceled') THEN 1
           WHEN CAST(@phone AS text) = '' THEN 0
           WHEN EXISTS (SELECT 1 FROM orders o WHERE o.site = @site AND o.phone IN (@phone, @mark) AND o.phone <> '' AND o.state <> 'canceled'
               AND NOT (o.state = 'waiting_for_payment' AND o.city_id = @city_id
                   AND (o.session_id = s.id OR o.customer_id = @customer_id AND o.customer_id <> 0))) THEN 1
           WHEN EXISTS (SELECT 1 FROM order_archive a WHERE a.site = @site AND a.phone IN (@phone, @mark)
               AND a.phone <> '' AND a.state <> 'canceled') THEN 1
           ELSE 0 END AS bigint) AS has_ordered,
       CAST(CASE WHEN EXISTS (SELECT 1 FROM order_cache k WHERE k.session_id = s.id AND k.site = @site AND k.city_id = @city_id
               AND k.order_id = 0 AND k.expires_at > @now) THEN 1 ELSE 0 END AS bigint) AS has_checkouts
FROM session s
LEFT JOIN cart c ON c.owner = @owner AND c.site = @site AND c.city_id = @city_id
LEFT JOIN idempotency i ON i.session_id = s.id AND i.key = @key
WHERE s.id = @session_id;

-- name: GetCart :one
SELECT body, version FROM cart WHERE owner = @owner AND site = @site AND city_id = @city_id;

-- name: FindLastCartCity :one
SELECT city_id FROM cart WHERE owner = @owner AND site = @site ORDER BY updated_at DESC, city_id LIMIT 1;

-- name: ClaimSession :execrows
-- Waits for a sign-in of the session to end. No row is changed when the session is no
-- guest's any more.
UPDATE session SET seen_at = seen_at WHERE id = @id AND customer_id IS NULL;

-- name: CountGuestSession :one
-- 1 while the session is a guest's, 0 once a sign-in has taken it.
SELECT COUNT(*) FROM session WHERE id = @id AND customer_id IS NULL;

-- name: InsertCart :execrows
-- No row is inserted when another call was first.
INSERT INTO cart (session_id, customer_id, site, city_id, body, version, updated_at)
VALUES (@session_id, @customer_id, @site, @city_id, @body, 1, @now)
ON CONFLICT DO NOTHING;

-- name: InsertFirstCart :exec
-- For a session that no other call knows.
INSERT INTO cart (session_id, customer_id, site, city_id, body, version, updated_at)
VALUES (@session_id, NULL, @site, @city_id, @body, 1, @now);

-- name: UpdateCart :execrows
-- No row is changed when the cart is not of that version any more.
UPDATE cart SET body = @body, version = version + 1, updated_at = @now
WHERE owner = @owner AND site = @site AND city_id = @city_id AND version = @version;

-- name: TakeSessionCarts :many
-- Takes the carts away from a session.
DELETE FROM cart WHERE session_id = @session_id RETURNING site, city_id, body;

-- name: KeepCartAnswer :execrows
-- No row is inserted when the key was used before. body is null where the answer to a repeated
-- key is the cart as it stands.
INSERT INTO idempotency (session_id, key, request_hash, status, body, created_at)
VALUES (@session_id, @key, @request_hash, 200, @body, @now)
ON CONFLICT (session_id, key) DO NOTHING;

-- name: KeepFirstCartAnswer :exec
-- For a session that no other call knows.
INSERT INTO idempotency (session_id, key, request_hash, status, body, created_at)
VALUES (@session_id, @key, @request_hash, 200, @body, @now);

-- name: DeleteFormerKeys :exec
-- Leaves a session its newest keys.
DELETE FROM idempotency WHERE (session_id, key) IN (
    SELECT i.session_id, i.key FROM idempotency i WHERE i.session_id = @session_id
    ORDER BY i.created_at DESC, i.key DESC LIMIT 500 OFFSET 200
);

-- name: ReadUses :one
-- What is known of a code and of former orders: 1 when the brand has an order, not
-- canceled, of the session, of the customer or of one of the phones, besides those that
-- ListWaitingHolds returns; how often the code is used by all and by each of the phones,
-- which are counted by their marks. Only what is asked for is looked up: who or what is not
-- known is 0 or empty.
SELECT CAST(CASE WHEN CAST(@asks_orders AS bigint) = 0 THEN 0
           WHEN EXISTS (SELECT 1 FROM orders o WHERE o.session_id = @session_id AND o.site = @site AND o.state <> 'canceled'
               AND NOT (o.state = 'waiting_for_payment' AND o.city_id = @city_id)) THEN 1
           WHEN EXISTS (SELECT 1 FROM orders o WHERE o.site = @site AND o.customer_id = @customer_id
               AND o.customer_id <> 0 AND o.state <> 'canceled'
               AND NOT (o.state = 'waiting_for_payment' AND o.city_id = @city_id)) THEN 1
           WHEN EXISTS (SELECT 1 FROM order_archive a WHERE a.session_id = @session_id AND a.session_id <> 0
               AND a.site = @site AND a.state <> 'canceled') THEN 1
           WHEN EXISTS (SELECT 1 FROM order_archive a WHERE a.site = @site AND a.customer_id = @customer_id
               AND a.customer_id <> 0 AND a.state <> 'canceled') THEN 1
           WHEN CAST(@phone AS text) = '' AND CAST(@other_phone AS text) = '' THEN 0
           WHEN EXISTS (SELECT 1 FROM orders o WHERE o.site = @site AND o.phone IN (@phone, @other_phone, @mark, @other_mark)
               AND o.phone <> '' AND o.state <> 'canceled'
               AND NOT (o.state = 'waiting_for_payment' AND o.city_id = @city_id
                   AND (o.session_id = @session_id OR o.customer_id = @customer_id AND o.customer_id <> 0))) THEN 1
           WHEN EXISTS (SELECT 1 FROM order_archive a WHERE a.site = @site AND a.phone IN (@phone, @other_phone, @mark, @other_mark)
               AND a.phone <> '' AND a.state <> 'canceled') THEN 1
           ELSE 0 END AS bigint) AS has_ordered,
       CAST(COALESCE((SELECT c.used FROM stock_count c
           WHERE c.site = @site AND c.kind = 'promocode' AND c.thing_id = @code_id AND c.scope = ''), 0)
           - COALESCE((SELECT SUM(s.max_used - s.used) FROM stock_share s
           WHERE s.site = @site AND s.kind = 'promocode' AND s.thing_id = @code_id), 0) AS bigint) AS code_used,
       CAST(COALESCE((SELECT c.used FROM stock_count c
           WHERE c.site = @site AND c.kind = 'promocode_phone' AND c.thing_id = @code_id
               AND c.scope = @mark AND c.scope <> ''), 0) AS bigint) AS code_used_by_phone,
       CAST(COALESCE((SELECT c.used FROM stock_count c
           WHERE c.site = @site AND c.kind = 'promocode_phone' AND c.thing_id = @code_id
               AND c.scope = @other_mark AND c.scope <> ''), 0) AS bigint) AS code_used_by_other_phone;

-- name: ListWaitingHolds :many
-- What the orders of a session or a customer in a city hold that wait for their payment:
-- the orders that ListUnpaidOrdersOf names, which a new checkout cancels.
SELECT o.customer_id, o.currency, o.bonuses, CAST(COALESCE(h.things, '[]') AS text) AS things
FROM orders o
LEFT JOIN stock_hold h ON h.holder = 'order:' || CAST(o.id AS text)
WHERE o.state = 'waiting_for_payment' AND o.site = @site AND o.city_id = @city_id
    AND (o.session_id = @session_id AND o.session_id <> 0 OR o.customer_id = @customer_id AND o.customer_id <> 0)
ORDER BY o.id;

-- name: ListCustomerPresents :many
-- The presents of a customer that can be taken yet, in the order in which they were given,
-- and how many of each are used or held.
SELECT p.id, p.gift_id, p.count, p.expires_at, CAST(COALESCE(c.used, 0) AS bigint) AS used
FROM present p
LEFT JOIN stock_count c ON c.site = p.site AND c.kind = 'present' AND c.thing_id = p.id AND c.scope = ''
WHERE p.customer_id = @customer_id AND p.site = @site AND (p.expires_at IS NULL OR p.expires_at > @now)
ORDER BY p.id;

-- name: ListUsedSlotsOfPlace :many
-- What ListUsedSlots returns. has_own is 1 in each row when ListOwnSlotHolds may return holds in any
-- place of the city; it is 0 for a visitor without a session.
SELECT t.starts_at, t.product_group_id, t.used_minutes,
       CAST(CASE WHEN CAST(@session_id AS bigint) = 0 THEN 0
           WHEN EXISTS (SELECT 1 FROM order_cache k WHERE k.session_id = @session_id AND k.site = @site
               AND k.city_id = @city_id AND k.order_id = 0 AND k.expires_at > @now) THEN 1
           WHEN EXISTS (SELECT 1 FROM orders o WHERE o.session_id = @session_id AND o.site = @site AND o.city_id = @city_id
               AND o.state = 'waiting_for_payment') THEN 1
           WHEN CAST(@customer_id AS bigint) = 0 THEN 0
           WHEN EXISTS (SELECT 1 FROM orders o WHERE o.site = @site AND o.customer_id = @customer_id AND o.customer_id <> 0
               AND o.city_id = @city_id AND o.state = 'waiting_for_payment') THEN 1
           ELSE 0 END AS bigint) AS has_own
FROM slot t
WHERE t.shop_id = @shop_id AND t.order_type = @order_type
  AND t.starts_at >= @from_time AND t.starts_at < @to_time AND t.used_minutes > 0
ORDER BY t.starts_at, t.product_group_id;

-- name: ListOwnSlotHolds :many
-- What the visitor's own checkouts hold that became no order yet, and the orders of a
-- session or a customer in a city that wait for their payment.
SELECT h.starts_at, h.minutes, h.earlier
FROM order_cache c
JOIN slot_hold h ON h.holder = 'cache:' || c.key
WHERE c.session_id = @session_id AND c.site = @site AND c.city_id = @city_id AND c.order_id = 0
  AND c.expires_at > @now AND h.shop_id = @shop_id AND h.order_type = @order_type
UNION ALL
SELECT h.starts_at, h.minutes, h.earlier
FROM orders o
JOIN slot_hold h ON h.holder = 'order:' || CAST(o.id AS text)
WHERE o.state = 'waiting_for_payment' AND o.site = @site AND o.city_id = @city_id
  AND (o.session_id = @session_id OR o.customer_id = @customer_id AND o.customer_id <> 0)
  AND h.shop_id = @shop_id AND h.order_type = @order_type;

-- name: ListCheckoutHolders :many
-- Who holds an interval for a cart: the checkouts that became no order, of the session or of
-- any device of the customer.
SELECT h.holder
FROM order_cache c
JOIN slot_hold h ON h.holder = 'cache:' || c.key
WHERE c.session_id IN (SELECT s.id FROM session s WHERE s.id = @session_id OR s.customer_id = CAST(@customer_id AS bigint))
  AND c.site = @site AND c.city_id = @city_id AND c.order_id = 0
ORDER BY h.holder;

-- name: DeleteCartsOfCustomer :exec
DELETE FROM cart WHERE customer_id = CAST(@customer_id AS bigint);

-- name: ListCartsOfCustomer :many
SELECT city_id, body, updated_at FROM cart
WHERE customer_id = CAST(@customer_id AS bigint) AND site = @site
ORDER BY city_id;
