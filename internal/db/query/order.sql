-- name: InsertOrderCache :exec
INSERT INTO order_cache (key, session_id, site, city_id, order_id, interval_id, created_at, expires_at, held_since)
VALUES (@key, @session_id, @site, @city_id, 0, @interval_id, @now, @expires_at, @held_since);

-- name: FirstHeldSince :one
-- Since when the session's checkouts that became no order have held an interval.
SELECT held_since
FROM order_cache
WHERE session_id = @session_id AND site = @site AND city_id = @city_id AND order_id = 0 AND held_since > @after
ORDER BY held_since
LIMIT 1;

-- name: ListHoldingOrderCaches :many
-- Those that became no order and hold an interval.
SELECT c.key
FROM order_cache c
JOIN slot_hold h ON h.holder = 'cache:' || c.key
WHERE c.session_id = @session_id AND c.site = @site AND c.city_id = @city_id AND c.order_id = 0 AND c.expires_at > @now
ORDER BY c.key;

-- name: DeleteFormerOrderCaches :exec
-- Deletes the checkouts of a session that became no order, but for the newest ones and the one that says since when the
-- session has held an interval. They must hold none.
DELETE FROM order_cache WHERE key IN (
    SELECT d.key FROM order_cache d
    WHERE d.session_id = @session_id AND d.site = @site AND d.city_id = @city_id AND d.order_id = 0
    ORDER BY d.expires_at DESC, d.key
    LIMIT 100 OFFSET @kept
) AND key <> COALESCE((
    SELECT f.key FROM order_cache f
    WHERE f.session_id = @session_id AND f.site = @site AND f.city_id = @city_id AND f.order_id = 0 AND f.held_since > @after
    ORDER BY f.held_since, f.key
    LIMIT 1
), '');

-- name: GetOrderCache :one
SELECT order_id
FROM order_cache
WHERE key = @key AND session_id = @session_id AND site = @site AND city_id = @city_id;

-- name: FindOrderByCacheKey :one
SELECT id FROM orders WHERE cache_key = @cache_key AND site = @site;

-- name: ClaimOrderCache :one
-- Sets the order of the checkout. Of concurrent calls the first gets the row; the
-- others wait for it to end and get none.
UPDATE order_cache SET order_id = @order_id
WHERE key = @key AND session_id = @session_id AND site = @site AND city_id = @city_id AND order_id = 0
RETURNING interval_id, expires_at;

-- name: DeleteOldOrderCaches :execrows
DELETE FROM order_cache WHERE key IN (
    SELECT d.key FROM order_cache d WHERE d.expires_at < @before LIMIT 500
);

-- name: InsertOrder :execrows
-- No row is inserted when the number is taken, by an archived order too.
INSERT INTO orders (id, site, city_id, shop_id, zone_id, session_id, cache_key, request_hash, link,
    order_type, state, change_id, changed_at, phone, payment_type, interval_id, promised_from, promised_to,
    currency, subtotal, packages, delivery, discount, bonuses, total, revision, details, created_at,
    customer_id, promocode, upcoming_bonuses, pay_until)
SELECT @id, @site, @city_id, @shop_id, @zone_id, @session_id, @cache_key, @request_hash, @link,
    @order_type, @state, 0, @now, @phone, @payment_type, @interval_id, @promised_from, @promised_to,
    @currency, @subtotal, @packages, @delivery, @discount, @bonuses, @total, @revision, @details, @now,
    @customer_id, @promocode, @upcoming_bonuses, @pay_until
WHERE NOT EXISTS (SELECT 1 FROM order_archive a WHERE a.id = @id)
ON CONFLICT (id) DO NOTHING;

-- name: InsertOrderLine :exec
INSERT INTO order_line (order_id, position, product_id, count, total, body)
VALUES (@order_id, @position, @product_id, @count, @total, @body);

-- name: InsertOrderStatus :one
INSERT INTO order_status (order_id, kind, state, actor, reason, note, food, amount, promised_from, promised_to, courier_id, fields, at)
VALUES (@order_id, @kind, @state, @actor, @reason, @note, @food, @amount, @promised_from, @promised_to, @courier_id, @fields, @now)
RETURNING id;

-- name: SetOrderChange :exec
UPDATE orders SET change_id = @change_id WHERE id = @id;

-- name: MoveOrder :execrows
-- No row is changed when the order is not in that state any more.
UPDATE orders SET state = @state, change_id = @change_id, changed_at = @changed_at
WHERE id = @id AND state IN (@from_state);

-- name: SetOrderOutcome :exec
UPDATE orders SET outcome = @outcome WHERE id = @id;

-- name: SetOrderTaken :exec
UPDATE orders SET taken_by = @taken_by, taken_at = @now WHERE id = @id;

-- name: SetOrderCourier :exec
UPDATE orders SET courier_id = @courier_id, courier_name = @courier_name, courier_phone = @courier_phone WHERE id = @id;

-- name: SetOrderPromise :exec
UPDATE orders SET promised_from = @promised_from, promised_to = @promised_to,
    agreed_from = @agreed_from, agreed_to = @agreed_to
WHERE id = @id;

-- name: RefundOrder :execrows
-- No row is changed when it is paid back already or was never done.
UPDATE orders SET refunded_at = @now
WHERE id = @id AND state = 'done' AND refunded_at IS NULL;

-- name: InsertOrderOrigin :exec
INSERT INTO order_origin (order_id, site, address, is_counted, created_at)
VALUES (@order_id, @site, @address, @is_counted, @now);

-- name: DeleteOrderOrigin :exec
DELETE FROM order_origin WHERE order_id = @order_id;

-- name: DeleteOldOrderOrigins :execrows
DELETE FROM order_origin WHERE order_id IN (
    SELECT d.order_id FROM order_origin d WHERE d.created_at < @before LIMIT 500
);

-- name: CountGuestOrders :one
-- How many orders of guests are open with the phone and of the session, which are those that
-- were promised for after promised_after; how many portions each has ordered since the hour
-- began; 1 when an order was ever delivered to the phone; and how many orders of guests the
-- address has placed in the hour.
SELECT
    CAST((SELECT COUNT(*) FROM orders o WHERE o.site = @site AND o.phone = @phone AND o.customer_id = 0
        AND o.state NOT IN ('done', 'canceled') AND o.promised_to > @promised_after) AS bigint) AS open_of_phone,
    CAST((SELECT COUNT(*) FROM orders o WHERE o.session_id = @session_id AND o.site = @site AND o.customer_id = 0
        AND o.state NOT IN ('done', 'canceled') AND o.promised_to > @promised_after) AS bigint) AS open_of_session,
    CAST((SELECT COALESCE(SUM(l.count), 0) FROM orders o JOIN order_line l ON l.order_id = o.id
        WHERE o.site = @site AND o.phone = @phone AND o.customer_id = 0
        AND o.state <> 'canceled' AND o.created_at > @hour) AS bigint) AS portions_of_phone,
    CAST((SELECT COALESCE(SUM(l.count), 0) FROM orders o JOIN order_line l ON l.order_id = o.id
        WHERE o.session_id = @session_id AND o.site = @site AND o.customer_id = 0
        AND o.state <> 'canceled' AND o.created_at > @hour) AS bigint) AS portions_of_session,
    CAST(CASE WHEN EXISTS (SELECT 1 FROM orders o WHERE o.site = @site AND o.phone = @phone AND o.state = 'done')
        OR EXISTS (SELECT 1 FROM order_archive a WHERE a.site = @site AND a.phone = @phone AND a.state = 'done')
        THEN 1 ELSE 0 END AS bigint) AS is_known_phone,
    CAST((SELECT COUNT(*) FROM order_origin g WHERE g.site = @site AND g.address = @address AND g.address <> ''
        AND g.is_counted AND g.created_at > @hour) AS bigint) AS placed_from_address,
    CAST((SELECT COUNT(*) FROM orders o WHERE o.site = @site AND o.phone = @phone AND o.customer_id = 0
        AND o.created_at > @hour) AS bigint) AS placed_with_phone;

-- name: CountRecentOrdersOfCustomer :one
-- How many orders of a customer are open, which are those that were promised for after promised_after, and how many the
-- customer has placed since the hour began, canceled ones too.
SELECT
    CAST((SELECT COUNT(*) FROM orders o WHERE o.site = @site AND o.customer_id = @customer_id AND o.customer_id <> 0
        AND o.state NOT IN ('done', 'canceled') AND o.promised_to > @promised_after) AS bigint) AS open,
    CAST((SELECT COUNT(*) FROM orders o WHERE o.site = @site AND o.customer_id = @customer_id AND o.customer_id <> 0
        AND o.created_at > @hour) AS bigint) AS placed;

-- name: CountDeliveredOrders :one
-- How many orders that came from an address were delivered, at most so many.
SELECT COUNT(*)
FROM (
    SELECT 1
    FROM order_origin g
    JOIN orders o ON o.id = g.order_id
    WHERE g.site = @site AND g.address = @address AND g.created_at > @after AND o.state = 'done'
    LIMIT @most
) d;

-- name: ListUnpaidOrders :many
SELECT id
FROM orders
WHERE state = 'waiting_for_payment' AND pay_until <= @now
ORDER BY pay_until, id;

-- name: ListUnpaidOrdersOf :many
-- Those of a session or a customer in a city that wait for their payment.
SELECT id
FROM orders
WHERE state = 'waiting_for_payment' AND site = @site AND city_id = @city_id
    AND (session_id = @session_id AND session_id <> 0 OR customer_id = @customer_id AND customer_id <> 0)
ORDER BY id;

-- name: LockOrder :execrows
-- Of those that do something about the money of an order, one waits for the other.
UPDATE orders SET paid_by = paid_by WHERE id = @id;

-- name: SetOrderPaymentType :exec
UPDATE orders SET payment_type = @payment_type WHERE id = @id;

-- name: SetOrderPaidBy :exec
UPDATE orders SET paid_by = @payment_id, payment_type = @payment_type WHERE id = @id;

-- name: GetOrderOfCheckout :one
SELECT id FROM orders WHERE cache_key = @cache_key;

-- name: GetOrder :one
SELECT id, site, city_id, shop_id, zone_id, session_id, request_hash, link, order_type, state,
    change_id, changed_at, phone, payment_type, interval_id, promised_from, promised_to, currency,
    subtotal, packages, delivery, discount, bonuses, total, revision, details, created_at,
    customer_id, promocode, upcoming_bonuses, refunded_at, cache_key, pay_until, paid_by,
    outcome, taken_by, taken_at, agreed_from, agreed_to, kept,
    courier_id, courier_name, courier_phone, surcharge, reduction
FROM orders
WHERE id = @id;

-- name: ListOrderLines :many
SELECT body FROM order_line WHERE order_id = @order_id ORDER BY position;

-- name: ListOrderStatuses :many
SELECT id, kind, state, actor, reason, note, food, amount, promised_from, promised_to, courier_id, fields, at
FROM order_status
WHERE order_id = @order_id
ORDER BY id;

-- name: ListOrderChanges :many
-- The changes of all orders with a number above after and up to last.
SELECT s.id, s.order_id, s.kind, s.state, s.actor, s.reason, s.note, s.food, s.amount, s.promised_from, s.promised_to, s.courier_id, s.fields, s.at,
    o.site, o.shop_id
FROM order_status s
JOIN orders o ON o.id = s.order_id
WHERE s.id > @after AND s.id <= @last
ORDER BY s.id
LIMIT @max_count;

-- name: ForgetChangePersons :exec
-- Of who made a change the role stays.
UPDATE order_status SET note = '', courier_id = '', actor = CASE WHEN actor LIKE 'operator:%' THEN 'operator' ELSE actor END
WHERE order_id = @order_id;

-- name: ListOpenOrders :many
-- The restaurant does not work on what waits for its payment. shops are ids with a space before and behind each; a site,
-- shops and a state that are empty do not count.
SELECT id
FROM orders
WHERE state NOT IN ('done', 'canceled') AND state <> 'waiting_for_payment' AND change_id > @after AND change_id <= @last
    AND (CAST(@site AS text) = '' OR site = CAST(@site AS text))
    AND (CAST(@shops AS text) = '' OR CAST(@shops AS text) LIKE '% ' || CAST(shop_id AS text) || ' %')
    AND (CAST(@state AS text) = '' OR state = CAST(@state AS text))
ORDER BY change_id
LIMIT @max_count;

-- name: ListOpenOrderShops :many
-- The shop of each order from after the time that is neither done nor canceled.
SELECT site, shop_id
FROM orders
WHERE state NOT IN ('done', 'canceled') AND created_at > @after
ORDER BY created_at;

-- name: GetOrderPlace :one
SELECT site, shop_id, courier_id FROM orders WHERE id = @id;

-- name: ListStatusChanges :many
SELECT id, order_id, state, at FROM order_status WHERE id > @after ORDER BY id;

-- name: LastStatusChange :one
SELECT CAST(COALESCE(MAX(id), 0) AS bigint) FROM order_status;

-- name: MostOrdered :many
SELECT l.product_id
FROM order_line l
JOIN orders o ON o.id = l.order_id
WHERE o.site = @site AND o.city_id = @city_id AND o.created_at >= @since AND o.state <> 'canceled'
GROUP BY l.product_id
ORDER BY SUM(l.count) DESC, l.product_id
LIMIT @max_count;

-- name: GrantOrder :exec
-- What the link has opened stays open when the phone is named later.
INSERT INTO order_grant (session_id, order_id, by_link, created_at)
VALUES (@session_id, @order_id, @by_link, @now)
ON CONFLICT (session_id, order_id) DO UPDATE SET created_at = excluded.created_at,
    by_link = (order_grant.by_link OR excluded.by_link);

-- name: FindOrderGrant :one
SELECT by_link FROM order_grant WHERE session_id = @session_id AND order_id = @order_id;

-- name: DeleteOldOrderGrants :execrows
DELETE FROM order_grant WHERE (session_id, order_id) IN (
    SELECT g.session_id, g.order_id FROM order_grant g WHERE g.created_at < @before LIMIT 500
);

-- name: SetCourierPosition :exec
INSERT INTO courier_position (order_id, latitude, longitude, reported_at, route, minutes, still_latitude, still_longitude, still_since)
VALUES (@order_id, @latitude, @longitude, @reported_at, @route, @minutes, @still_latitude, @still_longitude, @still_since)
ON CONFLICT (order_id) DO UPDATE
SET latitude = excluded.latitude, longitude = excluded.longitude, reported_at = excluded.reported_at, route = excluded.route,
    minutes = excluded.minutes, still_latitude = excluded.still_latitude, still_longitude = excluded.still_longitude, still_since = excluded.still_since;

-- name: GetCourierPosition :one
SELECT order_id, latitude, longitude, reported_at, route, minutes, still_latitude, still_longitude, still_since
FROM courier_position WHERE order_id = @order_id;

-- name: ListCourierPositions :many
SELECT order_id, latitude, longitude, reported_at, route, minutes, still_latitude, still_longitude, still_since
FROM courier_position WHERE reported_at >= @since;

-- name: DeleteCourierPosition :exec
DELETE FROM courier_position WHERE order_id = @order_id;

-- name: DeleteOldCourierPositions :execrows
DELETE FROM courier_position WHERE order_id IN (
    SELECT d.order_id FROM courier_position d WHERE d.reported_at < @before LIMIT 500
);

-- name: CountCustomerOrders :one
SELECT COUNT(*) FROM orders WHERE site = @site AND customer_id = @customer_id AND customer_id <> 0;

-- name: ListCustomerOrders :many
-- The newest first.
SELECT id, site, city_id, shop_id, zone_id, session_id, request_hash, link, order_type, state,
    change_id, changed_at, phone, payment_type, interval_id, promised_from, promised_to, currency,
    subtotal, packages, delivery, discount, bonuses, total, revision, details, created_at,
    customer_id, promocode, upcoming_bonuses, refunded_at, cache_key, pay_until, paid_by,
    outcome, taken_by, taken_at, agreed_from, agreed_to, kept,
    courier_id, courier_name, courier_phone, surcharge, reduction
FROM orders
WHERE site = @site AND customer_id = @customer_id AND customer_id <> 0
ORDER BY created_at DESC, id DESC
LIMIT @max_count OFFSET @skipped;

-- name: ListCustomerOrderStatuses :many
-- Of the orders that ListCustomerOrders returns.
SELECT s.order_id, s.id, s.kind, s.state, s.actor, s.reason, s.at
FROM order_status s
JOIN (
    SELECT o.id FROM orders o
    WHERE o.site = @site AND o.customer_id = @customer_id AND o.customer_id <> 0
    ORDER BY o.created_at DESC, o.id DESC
    LIMIT @max_count OFFSET @skipped
) page ON page.id = s.order_id
ORDER BY s.id;

-- name: ListCustomerOrderCounts :many
-- How many portions the orders have that ListCustomerOrders returns.
SELECT l.order_id, CAST(SUM(l.count) AS bigint) AS portions
FROM order_line l
JOIN (
    SELECT o.id FROM orders o
    WHERE o.site = @site AND o.customer_id = @customer_id AND o.customer_id <> 0
    ORDER BY o.created_at DESC, o.id DESC
    LIMIT @max_count OFFSET @skipped
) page ON page.id = l.order_id
GROUP BY l.order_id;

-- name: ExportOrders :many
-- All orders of a customer, the newest first.
SELECT id, site, city_id, shop_id, zone_id, session_id, request_hash, link, order_type, state,
    change_id, changed_at, phone, payment_type, interval_id, promised_from, promised_to, currency,
    subtotal, packages, delivery, discount, bonuses, total, revision, details, created_at,
    customer_id, promocode, upcoming_bonuses, refunded_at, cache_key, pay_until, paid_by,
    outcome, taken_by, taken_at, agreed_from, agreed_to, kept,
    courier_id, courier_name, courier_phone, surcharge, reduction
FROM orders
WHERE site = @site AND customer_id = @customer_id AND customer_id <> 0
ORDER BY created_at DESC, id DESC;

-- name: ExportOrderParts :many
-- The lines of all orders of a customer, by their position, and the states that the orders came
-- to, by their id; a state has no body.
SELECT l.order_id, CAST(l.position AS bigint) AS number, l.body, CAST('' AS text) AS kind, CAST('' AS text) AS state, CAST('' AS text) AS actor, o.created_at AS at
FROM orders o
JOIN order_line l ON l.order_id = o.id
WHERE o.site = @site AND o.customer_id = @customer_id AND o.customer_id <> 0
UNION ALL
SELECT s.order_id, s.id, NULL, s.kind, s.state, s.actor, s.at
FROM orders o
JOIN order_status s ON s.order_id = o.id
WHERE o.site = @site AND o.customer_id = @customer_id AND o.customer_id <> 0
ORDER BY order_id, number;

-- name: MoveCheckouts :exec
UPDATE order_cache SET session_id = @session_id WHERE session_id = @guest_id;

-- name: MoveOrders :exec
UPDATE orders SET session_id = @session_id WHERE session_id = @guest_id;

-- name: MoveOrderGrants :exec
UPDATE order_grant SET session_id = @session_id WHERE session_id = @guest_id;

-- name: GiveOrdersToCustomer :exec
-- Those that a guest has placed in the session with the customer's own phone.
UPDATE orders SET customer_id = @customer_id
WHERE session_id = @session_id AND site = @site AND phone = @phone AND customer_id = 0;

-- name: ListOrdersOfCustomer :many
SELECT id, state FROM orders WHERE site = @site AND customer_id = @customer_id AND customer_id <> 0;

-- name: ListGuestOrdersOfPhone :many
SELECT id, state FROM orders WHERE site = @site AND phone = @phone AND customer_id = 0;

-- name: ListGuestOrdersOfSession :many
SELECT id, state FROM orders WHERE session_id = @session_id AND site = @site AND customer_id = 0;

-- name: ForgetOrder :exec
-- What the books need stays. The key and the link are replaced, because they are unique.
UPDATE orders SET phone = @mark, details = @details, link = @link, cache_key = @cache_key,
    request_hash = @request_hash, session_id = 0, customer_id = 0, courier_id = '', courier_name = '', courier_phone = '',
    taken_by = CASE WHEN taken_by LIKE 'operator:%' THEN 'operator' ELSE taken_by END
WHERE id = @id;

-- name: DeleteOrderGrants :exec
DELETE FROM order_grant WHERE order_id = @order_id;

-- name: ListOrderDetailsAfter :many
SELECT id, details FROM orders WHERE id > @id ORDER BY id LIMIT @count;

-- name: ListLineBodiesBetween :many
SELECT body FROM order_line WHERE order_id > @after AND order_id <= @last;

-- name: SearchOrdersOfDays :many
-- Those promised for the time, the latest promise first, from behind (before, before_id) on.
SELECT id, city_id, promised_from
FROM orders
WHERE site = @site AND promised_from >= @since AND promised_from <= @before
    AND (promised_from < @before OR id < @before_id)
    AND (CAST(@shops AS text) = '' OR CAST(@shops AS text) LIKE '% ' || CAST(shop_id AS text) || ' %')
    AND (CAST(@state AS text) = '' OR state = CAST(@state AS text))
ORDER BY promised_from DESC, id DESC
LIMIT @max_count;

-- name: SearchOrdersOfPhone :many
-- The same for the orders of a phone, promised for any time since.
SELECT id, city_id, promised_from
FROM orders
WHERE site = @site AND phone = @phone AND promised_from >= @since AND promised_from <= @before
    AND (promised_from < @before OR id < @before_id)
    AND (CAST(@shops AS text) = '' OR CAST(@shops AS text) LIKE '% ' || CAST(shop_id AS text) || ' %')
    AND (CAST(@state AS text) = '' OR state = CAST(@state AS text))
ORDER BY promised_from DESC, id DESC
LIMIT @max_count;

-- name: CorrectOrder :exec
UPDATE orders SET phone = @phone, zone_id = @zone_id, interval_id = @interval_id, promised_from = @promised_from, promised_to = @promised_to,
    agreed_from = @agreed_from, agreed_to = @agreed_to, delivery = @delivery, total = @total, surcharge = @surcharge, reduction = @reduction,
    details = @details
WHERE id = @id;

-- name: InsertOrderCorrection :exec
INSERT INTO order_correction (order_id, call_key, call_hash, effect, before, after, note, actor, at)
VALUES (@order_id, @call_key, @call_hash, @effect, @before, @after, @note, @actor, @now);

-- name: GetOrderCorrection :one
SELECT call_key, call_hash, effect, before, after, note, actor, at FROM order_correction WHERE order_id = @order_id AND call_key = @call_key;

-- name: ListOrderCorrections :many
-- Those of an order, the first one first.
SELECT call_key, call_hash, effect, before, after, note, actor, at FROM order_correction WHERE order_id = @order_id ORDER BY at, call_key;

-- name: ForgetOrderCorrections :exec
UPDATE order_correction SET before = @empty, after = @empty, note = '', call_hash = @no_hash,
    actor = CASE WHEN actor LIKE 'operator:%' THEN 'operator' ELSE actor END
WHERE order_id = @order_id;
