-- name: InsertOrderMessage :one
INSERT INTO order_message (order_id, change_id, kind, state, attempts, due_at, at, created_at)
VALUES (@order_id, @change_id, @kind, 'waiting', 0, @due_at, @now, @now)
RETURNING id;

-- name: TakeOrderMessage :one
-- Of callers side by side the first gets the row, once.
UPDATE order_message SET state = 'sending', attempts = attempts + 1, at = @now
WHERE id = @id AND state = 'waiting' AND due_at <= @now
RETURNING order_id, change_id, kind, attempts;

-- name: FinishOrderMessage :exec
UPDATE order_message SET state = @state, at = @now WHERE id = @id AND state = 'sending';

-- name: PostponeOrderMessage :exec
UPDATE order_message SET state = 'waiting', due_at = @due_at, at = @now WHERE id = @id AND state = 'sending';

-- name: ListOrderMessages :many
SELECT kind, state, change_id, at FROM order_message WHERE order_id = @order_id ORDER BY id;

-- name: ListDueOrderMessages :many
SELECT id FROM order_message WHERE state = 'waiting' AND due_at < @before ORDER BY due_at LIMIT 100;

-- name: LoseOrderMessages :execrows
-- Those whose sender has not come back.
UPDATE order_message SET state = 'unknown', at = @now WHERE state = 'sending' AND at < @before;

-- name: DeleteOldOrderMessages :execrows
DELETE FROM order_message WHERE id IN (
    SELECT d.id FROM order_message d WHERE d.created_at < @before LIMIT 500
);
