-- name: NextSite :one
-- The first site after another that has rows of persons, empty after the last one. Brands that
-- are in no content any more have them too.
SELECT CAST(COALESCE(MIN(found.site), '') AS text)
FROM (
    SELECT MIN(o.site) AS site FROM orders o WHERE o.site > @after
    UNION ALL SELECT MIN(a.site) FROM order_archive a WHERE a.site > @after
    UNION ALL SELECT MIN(c.site) FROM customer c WHERE c.site > @after
    UNION ALL SELECT MIN(g.site) FROM cart g WHERE g.site > @after AND g.customer_id IS NULL
    UNION ALL SELECT MIN(k.site) FROM cart k WHERE k.site > @after AND k.customer_id IS NOT NULL
) found;

-- name: StampGuestCarts :execrows
UPDATE cart SET seen_at = updated_at WHERE owner IN (
    SELECT c.owner FROM cart c WHERE c.site = @site AND c.customer_id IS NULL AND c.seen_at IS NULL LIMIT 500
) AND cart.site = @site AND cart.seen_at IS NULL;

-- name: StampCustomerCarts :execrows
UPDATE cart SET seen_at = updated_at WHERE owner IN (
    SELECT c.owner FROM cart c WHERE c.site = @site AND c.customer_id IS NOT NULL AND c.seen_at IS NULL LIMIT 500
) AND cart.site = @site AND cart.seen_at IS NULL;

-- name: KeepGuestCarts :execrows
-- Of the carts that were idle for longest as far as is known, notes which were changed since.
UPDATE cart SET seen_at = updated_at WHERE owner IN (
    SELECT c.owner FROM cart c WHERE c.site = @site AND c.customer_id IS NULL AND c.seen_at < @before
    ORDER BY c.seen_at LIMIT 500
) AND cart.site = @site AND cart.seen_at < @before AND cart.updated_at >= @before;

-- name: KeepCustomerCarts :execrows
UPDATE cart SET seen_at = updated_at WHERE owner IN (
    SELECT c.owner FROM cart c WHERE c.site = @site AND c.customer_id IS NOT NULL AND c.seen_at < @before
    ORDER BY c.seen_at LIMIT 500
) AND cart.site = @site AND cart.seen_at < @before AND cart.updated_at >= @before;

-- name: DeleteIdleGuestCarts :execrows
DELETE FROM cart WHERE owner IN (
    SELECT c.owner FROM cart c WHERE c.site = @site AND c.customer_id IS NULL AND c.seen_at < @before
    ORDER BY c.seen_at LIMIT 500
) AND cart.site = @site AND cart.updated_at < @before;

-- name: DeleteIdleCustomerCarts :execrows
DELETE FROM cart WHERE owner IN (
    SELECT c.owner FROM cart c WHERE c.site = @site AND c.customer_id IS NOT NULL AND c.seen_at < @before
    ORDER BY c.seen_at LIMIT 500
) AND cart.site = @site AND cart.updated_at < @before;

-- name: ListIdleCustomers :many
-- Those that were not seen since, as far as is known, the longest idle first.
SELECT id FROM customer
WHERE site = @site AND erased_at IS NULL AND COALESCE(seen_at, created_at) < @before
ORDER BY COALESCE(seen_at, created_at)
LIMIT 500;

-- name: NewestCustomerOrder :one
SELECT created_at FROM orders WHERE site = @site AND customer_id = @customer_id AND customer_id <> 0
ORDER BY created_at DESC, id DESC LIMIT 1;

-- name: NewestCustomerSession :one
SELECT seen_at FROM session WHERE customer_id = CAST(@customer_id AS bigint) ORDER BY seen_at DESC LIMIT 1;

-- name: GetCustomerSeen :one
SELECT seen_at FROM customer WHERE id = @id;

-- name: SetCustomerSeen :exec
UPDATE customer SET seen_at = @seen_at WHERE id = @id;

-- name: TouchCustomer :exec
-- A day is fine enough for a term of years.
UPDATE customer SET seen_at = @now WHERE id = @id AND erased_at IS NULL AND (seen_at IS NULL OR seen_at < @before);

-- name: ListIdleGuestOrders :many
-- Orders of guests whom nothing was heard of since, as far as is known, the longest idle first.
-- The bound of customer_id is that of the index orders_of_idle_guests.
SELECT id, phone, session_id, state FROM orders
WHERE site = @site AND customer_id < 1 AND session_id <> 0 AND COALESCE(person_seen_at, created_at) < @before
ORDER BY COALESCE(person_seen_at, created_at)
LIMIT 100;

-- name: NewestOrderOfPhone :one
SELECT created_at FROM orders WHERE site = @site AND phone = @phone ORDER BY created_at DESC LIMIT 1;

-- name: GetSessionSeen :one
SELECT seen_at FROM session WHERE id = @id;

-- name: SetOrderPersonSeen :exec
UPDATE orders SET person_seen_at = @seen_at WHERE id = @id;

-- name: DeleteOldUndeliveredPlaces :execrows
DELETE FROM undelivered_place WHERE id IN (
    SELECT d.id FROM undelivered_place d WHERE d.created_at < @before LIMIT 500
);

-- name: DeleteOldPaymentEvents :execrows
DELETE FROM payment_event WHERE (payment_id, key) IN (
    SELECT e.payment_id, e.key FROM payment_event e WHERE e.at < @before LIMIT 500
);

-- name: ListEndedPresents :many
SELECT id, site FROM present WHERE expires_at < @before LIMIT 500;

-- name: DeletePresent :exec
DELETE FROM present WHERE id = @id;

-- name: DeleteStockCountOfPresent :exec
DELETE FROM stock_count WHERE site = @site AND kind = 'present' AND thing_id = @id AND scope = '';

-- name: StampConfirmedStockHolds :execrows
UPDATE stock_hold SET confirmed_at = @now WHERE holder IN (
    SELECT d.holder FROM stock_hold d WHERE d.expires_at IS NULL AND d.confirmed_at IS NULL LIMIT 500
) AND stock_hold.expires_at IS NULL;

-- name: DeleteOldStockHolds :execrows
DELETE FROM stock_hold WHERE holder IN (
    SELECT d.holder FROM stock_hold d WHERE d.expires_at IS NULL AND d.confirmed_at < @before LIMIT 500
) AND stock_hold.expires_at IS NULL;
