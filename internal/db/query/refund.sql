-- name: AddRefunded :execrows
UPDATE payment SET refunded = refunded + @amount WHERE id = @id;

-- name: InsertRefund :exec
INSERT INTO refund (id, payment_id, order_id, amount, state, cause, reason, lines, call_key, call_hash, ref, code,
    tries, attempt, receipt_mode, bearer, actor, check_at, created_at)
VALUES (@id, @payment_id, @order_id, @amount, 'waiting', @cause, @reason, @lines, @call_key, @call_hash, '', '',
    0, @attempt, @receipt_mode, @bearer, @actor, @check_at, @now);

-- name: GetRefund :one
SELECT r.id, r.payment_id, r.order_id, r.amount,
    CAST(CASE WHEN p.taken_amount > 0 THEN p.taken_currency ELSE p.currency END AS text) AS currency, r.state, r.cause, r.reason, r.lines, r.code,
    r.tries, r.attempt, r.receipt_mode, r.bearer, r.actor, r.created_at, r.finished_at
FROM refund r
JOIN payment p ON p.id = r.payment_id
WHERE r.id = @id;

-- name: ListRefunds :many
-- Those of an order, the first one first.
SELECT r.id, r.payment_id, r.order_id, r.amount,
    CAST(CASE WHEN p.taken_amount > 0 THEN p.taken_currency ELSE p.currency END AS text) AS currency, r.state, r.cause, r.reason, r.lines, r.code,
    r.tries, r.attempt, r.receipt_mode, r.bearer, r.actor, r.created_at, r.finished_at
FROM refund r
JOIN payment p ON p.id = r.payment_id
WHERE r.order_id = @order_id
ORDER BY r.created_at, r.id;

-- name: ExportRefunds :many
-- Those of all orders of a customer, of each order the first one first.
SELECT r.id, r.payment_id, r.order_id, r.amount,
    CAST(CASE WHEN p.taken_amount > 0 THEN p.taken_currency ELSE p.currency END AS text) AS currency, r.state, r.cause, r.reason, r.lines, r.code,
    r.tries, r.attempt, r.receipt_mode, r.bearer, r.actor, r.created_at, r.finished_at
FROM orders o
JOIN refund r ON r.order_id = o.id
JOIN payment p ON p.id = r.payment_id
WHERE o.site = @site AND o.customer_id = @customer_id AND o.customer_id <> 0
ORDER BY r.order_id, r.created_at, r.id;

-- name: GetRefundCall :one
-- What an operator's call has asked for, if it came before.
SELECT call_hash FROM refund WHERE order_id = @order_id AND call_key = @call_key AND call_key <> '';

-- name: BeginRefund :execrows
-- Takes a refund that is due for as long as a call may last. No row is changed while
-- another has it, or another of the same payment is on its way.
UPDATE refund SET state = 'running', tries = tries + 1, check_at = @until
WHERE refund.id = @id AND refund.state IN ('waiting', 'running') AND refund.check_at <= @now
    AND NOT EXISTS (
        SELECT 1 FROM refund other
        WHERE other.payment_id = refund.payment_id AND other.state = 'running' AND other.id <> refund.id
    );

-- name: PostponeRefund :execrows
-- It is asked for again under the same id, because it was not sent, is on its way, or its outcome is unknown.
UPDATE refund SET state = @state, ref = @ref, code = @code, check_at = @check_at WHERE id = @id AND state = 'running';

-- name: EndRefund :execrows
UPDATE refund SET state = @state, ref = @ref, code = @code, check_at = NULL, finished_at = @now
WHERE id = @id AND state = 'running';

-- name: ListDueRefunds :many
-- Without those that have to wait for another of the same payment.
SELECT r.id
FROM refund r
WHERE r.check_at <= @now AND (r.state = 'running' OR NOT EXISTS (
    SELECT 1 FROM refund other WHERE other.payment_id = r.payment_id AND other.state = 'running'
))
ORDER BY r.check_at, r.id
LIMIT @max_count;

-- name: ListWaitingRefunds :many
-- Those of an order that no call was made for yet.
SELECT id, payment_id FROM refund WHERE order_id = @order_id AND state = 'waiting' ORDER BY created_at, id;

-- name: ListOtherRefundRefs :many
-- What the acquirer calls the other refunds of a payment, as far as that is known.
SELECT ref FROM refund WHERE order_id = @order_id AND payment_id = @payment_id AND id <> @id AND ref <> '' ORDER BY created_at, id;

-- name: SetOrderRefunded :execrows
-- Once nothing that was paid for the order is left with us. One that waits may still be paid.
UPDATE orders SET refunded_at = @now
WHERE orders.id = @id AND orders.state <> 'waiting_for_payment' AND orders.refunded_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM payment p
    WHERE p.order_id = orders.id AND (p.state = 'paid' AND p.refunded < p.amount OR p.refunded < p.taken_amount)
);

-- name: ForgetPayments :exec
-- Takes the customer out of the tries to pay an order; sums, dates and the acquirer's names stay.
UPDATE payment SET asked = @asked, next = @next WHERE order_id = @order_id;

-- name: ForgetRefunds :exec
-- Operators write names and telephones into reasons.
UPDATE refund SET reason = '' WHERE order_id = @order_id;

-- name: InsertHandRefund :exec
INSERT INTO hand_refund (order_id, call_key, call_hash, amount, lines, bearer, reason, actor, created_at, handed_back_by, handed_back_at)
VALUES (@order_id, @call_key, @call_hash, @amount, @lines, @bearer, @reason, @actor, @now, @handed_back_by, @handed_back_at);

-- name: ListHandRefunds :many
-- Those of an order, the first one first.
SELECT call_key, call_hash, amount, lines, bearer, reason, actor, created_at, handed_back_by, handed_back_at
FROM hand_refund
WHERE order_id = @order_id
ORDER BY created_at, call_key;

-- name: HandBackRefund :execrows
-- No row is changed when it was handed back already.
UPDATE hand_refund SET handed_back_by = @actor, handed_back_at = @now
WHERE order_id = @order_id AND call_key = @call_key AND handed_back_at IS NULL;

-- name: ForgetHandRefunds :exec
UPDATE hand_refund SET reason = '' WHERE order_id = @order_id;

-- name: SetOrderKept :exec
-- What the restaurant keeps of a canceled order's money.
UPDATE orders SET kept = @kept WHERE id = @id;
