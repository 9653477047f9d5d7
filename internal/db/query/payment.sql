-- name: InsertPayment :exec
INSERT INTO payment (id, order_id, site, acquirer, method, amount, currency, state, ref, reason, code, refunded,
    asked, next, proof, call_key, started_at, deadline, busy_until, check_at, checks)
VALUES (@id, @order_id, @site, @acquirer, @method, @amount, @currency, 'starting', '', '', '', 0,
    @asked, @next, '', @call_key, @now, @deadline, @busy_until, @check_at, 0);

-- name: GetPayment :one
SELECT * FROM payment WHERE id = @id;

-- name: ListPayments :many
-- Those of an order, the first one first.
SELECT * FROM payment WHERE order_id = @order_id ORDER BY started_at, id;

-- name: ExportPayments :many
-- Those of all orders of a customer with their closing receipts, of each order the first one first.
SELECT sqlc.embed(p), c.id AS closing_id, c.amount AS closing_amount, c.lines AS closing_lines, c.state AS closing_state,
    c.ref AS closing_ref, c.code AS closing_code, c.tries AS closing_tries, c.check_at AS closing_check_at,
    c.created_at AS closing_created_at, c.finished_at AS closing_finished_at
FROM orders o
JOIN payment p ON p.order_id = o.id
LEFT JOIN closing_receipt c ON c.payment_id = p.id
WHERE o.site = @site AND o.customer_id = @customer_id AND o.customer_id <> 0
ORDER BY p.order_id, p.started_at, p.id;

-- name: ListDuePayments :many
SELECT id FROM payment WHERE check_at <= @now ORDER BY check_at, id LIMIT @max_count;

-- name: ClaimPaymentCheck :execrows
-- Of those that find the payment due the first gets it; it is due again when the first
-- does not end.
UPDATE payment SET check_at = @next_check_at, checked_at = @now, checks = checks + 1
WHERE id = @id AND check_at <= @now;

-- name: ClaimPaymentLook :execrows
-- No row is changed when the acquirer was asked since.
UPDATE payment SET checked_at = @now WHERE id = @id AND (checked_at IS NULL OR checked_at <= @before);

-- name: ClaimPaymentCall :execrows
-- No row is changed while somebody else is busy with the payment or it is over.
UPDATE payment SET busy_until = @until
WHERE id = @id AND state IN ('starting', 'pending') AND (busy_until IS NULL OR busy_until <= @now);

-- name: ClaimPaymentCard :execrows
-- As ClaimPaymentCall, for a card that is sent to the acquirer that was prepared for it.
UPDATE payment SET busy_until = @until, asked = @asked
WHERE id = @id AND state = 'pending' AND (busy_until IS NULL OR busy_until <= @now);

-- name: ClaimPaymentProof :execrows
-- Each answer of 3-D Secure is handed over once.
UPDATE payment SET busy_until = @until, proof = @proof
WHERE id = @id AND state = 'pending' AND proof = @proof_before AND (busy_until IS NULL OR busy_until <= @now);

-- name: ReturnPaymentProof :exec
-- It never reached the acquirer, so it may be handed over again.
UPDATE payment SET busy_until = NULL, proof = @proof_before WHERE id = @id AND proof = @proof;

-- name: AnswerPayment :execrows
-- What the acquirer answered to a call, unless the payment is over.
UPDATE payment SET state = @state, ref = CASE WHEN CAST(@ref AS text) = '' THEN ref ELSE CAST(@ref AS text) END, next = @next,
    busy_until = NULL, check_at = @check_at
WHERE id = @id AND state IN ('starting', 'pending');

-- name: SetPaymentRef :exec
UPDATE payment SET ref = @ref WHERE id = @id AND ref = '';

-- name: SetPaymentNews :exec
-- What is heard of a payment. Its state and what comes next are the answer's to say, which
-- may be written at the same time.
UPDATE payment SET ref = CASE WHEN CAST(@ref AS text) = '' THEN ref ELSE CAST(@ref AS text) END, reason = @reason, code = @code WHERE id = @id;

-- name: EndPayment :exec
UPDATE payment SET state = @state, ref = @ref, reason = @reason, code = @code, next = @next,
    taken_amount = @taken_amount, taken_currency = @taken_currency, busy_until = NULL, check_at = NULL, finished_at = @now
WHERE id = @id;

-- name: AbandonPayment :execrows
UPDATE payment SET state = 'abandoned', next = @next, busy_until = NULL, check_at = @check_at
WHERE id = @id AND state IN ('starting', 'pending');

-- name: StopPaymentChecks :exec
UPDATE payment SET check_at = NULL WHERE id = @id;

-- name: InsertPaymentEvent :execrows
-- No row is inserted when the news was applied before.
INSERT INTO payment_event (payment_id, key, at)
VALUES (@payment_id, @key, @now)
ON CONFLICT (payment_id, key) DO NOTHING;

-- name: CountOpenPayments :many
-- Payments whose acquirer is yet to be asked for how they ended.
SELECT site, acquirer, currency, COUNT(*) AS count, CAST(SUM(amount) AS bigint) AS amount,
    CAST(SUM(CASE WHEN deadline < @now THEN 1 ELSE 0 END) AS bigint) AS late
FROM payment WHERE check_at IS NOT NULL
GROUP BY site, acquirer, currency ORDER BY site, acquirer, currency;

-- name: CountOpenRefunds :many
-- Refunds that are yet to be sent, or to be asked for. Few are open at once, so that their
-- payments are found one by one.
SELECT CAST(o.site AS text) AS site, CAST(o.acquirer AS text) AS acquirer, CAST(o.currency AS text) AS currency, COUNT(*) AS count, CAST(SUM(o.amount) AS bigint) AS amount,
    CAST(SUM(o.late) AS bigint) AS late
FROM (
    SELECT r.amount, CASE WHEN r.created_at < @before THEN 1 ELSE 0 END AS late, (SELECT p.site FROM payment p WHERE p.id = r.payment_id) AS site,
        (SELECT p.acquirer FROM payment p WHERE p.id = r.payment_id) AS acquirer,
        (SELECT p.currency FROM payment p WHERE p.id = r.payment_id) AS currency
    FROM refund r WHERE r.check_at IS NOT NULL
) o
GROUP BY o.site, o.acquirer, o.currency ORDER BY o.site, o.acquirer, o.currency;
