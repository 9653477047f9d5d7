-- name: InsertClosingReceipt :execrows
-- No row is inserted when the payment has one.
INSERT INTO closing_receipt (payment_id, id, order_id, amount, lines, state, ref, code, tries, check_at, created_at)
VALUES (@payment_id, @id, @order_id, 0, @lines, 'waiting', '', '', 0, @check_at, @now)
ON CONFLICT (payment_id) DO NOTHING;

-- name: GetClosingReceipt :one
SELECT c.payment_id, c.id, c.order_id, c.amount, p.currency, c.lines, c.state, c.ref, c.code, c.tries, c.check_at, c.created_at, c.finished_at
FROM closing_receipt c
JOIN payment p ON p.id = c.payment_id
WHERE c.payment_id = @payment_id;

-- name: ListClosingReceipts :many
-- Those of an order.
SELECT c.payment_id, c.id, c.order_id, c.amount, p.currency, c.lines, c.state, c.ref, c.code, c.tries, c.check_at, c.created_at, c.finished_at
FROM closing_receipt c
JOIN payment p ON p.id = c.payment_id
WHERE c.order_id = @order_id
ORDER BY c.created_at, c.id;

-- name: BeginClosingReceipt :execrows
-- Takes a closing receipt that is due for as long as a call may last. No row is changed while
-- another has it.
UPDATE closing_receipt SET state = 'running', amount = @amount, lines = @lines, tries = tries + 1, check_at = @until
WHERE payment_id = @payment_id AND state IN ('waiting', 'running') AND check_at <= @now;

-- name: PostponeClosingReceipt :execrows
-- It is asked for again under the same id.
UPDATE closing_receipt
SET ref = CASE WHEN CAST(@ref AS text) = '' THEN ref ELSE CAST(@ref AS text) END, code = @code, check_at = @check_at
WHERE payment_id = @payment_id AND state IN ('waiting', 'running');

-- name: EndClosingReceipt :execrows
UPDATE closing_receipt
SET state = @state, ref = CASE WHEN CAST(@ref AS text) = '' THEN ref ELSE CAST(@ref AS text) END, code = @code, check_at = NULL, finished_at = @now
WHERE payment_id = @payment_id AND state IN ('waiting', 'running');

-- name: ListDueClosingReceipts :many
SELECT payment_id FROM closing_receipt WHERE check_at <= @now ORDER BY check_at, payment_id LIMIT @max_count;
