-- name: ListArchivableOrders :many
-- Final orders that nothing was changed of since, nothing is owed for and no row of a shorter term
-- belongs to, the longest ago first. The newest change stays: its number is where readers continue.
SELECT o.id
FROM orders o
WHERE o.site = @site AND o.promised_from < @before AND o.changed_at < @before AND o.state IN ('done', 'canceled')
    AND (o.recalled_at IS NULL OR o.recalled_at < @recalled_before)
    AND o.change_id < (SELECT MAX(s.id) FROM order_status s)
    AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.order_id = o.id AND (p.state IN ('starting', 'pending', 'disputed') OR p.check_at IS NOT NULL
        OR o.state = 'canceled' AND o.kept = 0 AND (p.state = 'paid' AND p.refunded < p.amount OR p.refunded < p.taken_amount)
        OR EXISTS (SELECT 1 FROM payment_event e WHERE e.payment_id = p.id)))
    AND NOT EXISTS (SELECT 1 FROM refund r WHERE r.order_id = o.id AND r.state <> 'done')
    AND NOT EXISTS (SELECT 1 FROM hand_refund h WHERE h.order_id = o.id AND h.handed_back_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM closing_receipt c WHERE c.order_id = o.id AND c.state IN ('waiting', 'running', 'failed'))
    AND NOT EXISTS (SELECT 1 FROM order_grant g WHERE g.order_id = o.id)
    AND NOT EXISTS (SELECT 1 FROM order_message m WHERE m.order_id = o.id)
    AND NOT EXISTS (SELECT 1 FROM push_subscription n WHERE n.order_id = o.id)
    AND NOT EXISTS (SELECT 1 FROM courier_position k WHERE k.order_id = o.id)
    AND NOT EXISTS (SELECT 1 FROM order_origin a WHERE a.order_id = o.id)
ORDER BY o.promised_from, o.id
LIMIT 20;

-- name: ArchiveOrder :exec
INSERT INTO order_archive (id, site, shop_id, state, cache_key, session_id, customer_id, phone, person_seen_at, promised_from, created_at,
    archived_at, pictures, body)
VALUES (@id, @site, @shop_id, @state, @cache_key, @session_id, @customer_id, @phone, @person_seen_at, @promised_from, @created_at,
    @now, @pictures, @body);

-- name: ArchivePayments :exec
INSERT INTO order_archive_payment (payment_id, order_id)
SELECT p.id, p.order_id FROM payment p WHERE p.order_id = @order_id;

-- name: IsOrderArchived :one
SELECT CAST(COUNT(*) AS bigint) FROM order_archive WHERE id = @id;

-- name: GetArchivedOrderOwner :one
SELECT site, session_id, customer_id FROM order_archive WHERE id = @id;

-- name: FindArchivedPayment :one
SELECT order_id FROM order_archive_payment WHERE payment_id = @payment_id;

-- name: FindArchivedOrderByCacheKey :one
SELECT id FROM order_archive WHERE cache_key = @cache_key AND site = @site;

-- name: TakeOrderFromArchive :many
-- Of concurrent calls one gets the row.
DELETE FROM order_archive WHERE id = @id
RETURNING session_id, customer_id, person_seen_at, body;

-- name: SetOrderRecalled :exec
UPDATE orders SET recalled_at = @now, session_id = @session_id, customer_id = @customer_id, person_seen_at = @person_seen_at
WHERE id = @id;

-- name: CountArchivedOrdersOfCustomer :one
SELECT COUNT(*) FROM order_archive WHERE site = @site AND customer_id = @customer_id AND customer_id <> 0;

-- name: ListArchivedOrdersOfCustomer :many
SELECT id FROM order_archive WHERE site = @site AND customer_id = @customer_id AND customer_id <> 0;

-- name: ListArchivedOrdersOfPage :many
-- Those of the newest orders of a customer, archived or not, that are archived.
SELECT CAST(newest.archived_id AS bigint) AS id
FROM (
    SELECT o.created_at, o.id, CAST(0 AS bigint) AS archived_id FROM orders o
    WHERE o.site = @site AND o.customer_id = @customer_id AND o.customer_id <> 0
    UNION ALL
    SELECT a.created_at, a.id, a.id FROM order_archive a
    WHERE a.site = @site AND a.customer_id = @customer_id AND a.customer_id <> 0
    ORDER BY 1 DESC, 2 DESC
    LIMIT @max_count
) newest
WHERE newest.archived_id <> 0;

-- name: ListArchivedGuestOrdersOfPhone :many
SELECT id FROM order_archive WHERE site = @site AND phone = @phone AND customer_id = 0;

-- name: ListArchivedGuestOrdersOfSession :many
SELECT id FROM order_archive WHERE session_id = @session_id AND site = @site AND customer_id = 0;

-- name: ListArchivedIdleGuestOrders :many
-- Those whose person is to be removed, the longest idle first.
SELECT id FROM order_archive
WHERE site = @site AND customer_id < 1 AND session_id <> 0 AND COALESCE(person_seen_at, created_at) < @before
ORDER BY COALESCE(person_seen_at, created_at)
LIMIT 100;

-- name: SearchArchivedOrdersOfDays :many
SELECT id FROM order_archive
WHERE site = @site AND promised_from >= @since AND promised_from <= @before
    AND (promised_from < @before OR id < @before_id)
    AND (CAST(@shops AS text) = '' OR CAST(@shops AS text) LIKE '% ' || CAST(shop_id AS text) || ' %')
    AND (CAST(@state AS text) = '' OR state = CAST(@state AS text))
ORDER BY promised_from DESC, id DESC
LIMIT @max_count;

-- name: SearchArchivedOrdersOfPhone :many
SELECT id FROM order_archive
WHERE site = @site AND phone = @phone AND promised_from >= @since AND promised_from <= @before
    AND (promised_from < @before OR id < @before_id)
    AND (CAST(@shops AS text) = '' OR CAST(@shops AS text) LIKE '% ' || CAST(shop_id AS text) || ' %')
    AND (CAST(@state AS text) = '' OR state = CAST(@state AS text))
ORDER BY promised_from DESC, id DESC
LIMIT @max_count;

-- name: ListArchivedPictures :many
SELECT id, pictures FROM order_archive WHERE id > @id ORDER BY id LIMIT @count;

-- name: NewestArchivedOrderOfCustomer :one
SELECT created_at FROM order_archive WHERE site = @site AND customer_id = @customer_id AND customer_id <> 0
ORDER BY created_at DESC, id DESC LIMIT 1;

-- name: NewestArchivedOrderOfPhone :one
SELECT created_at FROM order_archive WHERE site = @site AND phone = @phone ORDER BY created_at DESC LIMIT 1;

-- name: MoveArchivedOrders :exec
UPDATE order_archive SET session_id = @session_id WHERE session_id = @guest_id;

-- name: GiveArchivedOrdersToCustomer :exec
UPDATE order_archive SET customer_id = @customer_id
WHERE session_id = @session_id AND site = @site AND phone = @phone AND customer_id = 0;
