-- name: InsertChangeDelivery :exec
-- The one that is there stays.
INSERT INTO change_delivery (site, last_change, attempts, due_at, leased_until, error)
VALUES (@site, @last_change, 0, @now, @now, '')
ON CONFLICT (site) DO NOTHING;

-- name: GetChangeDelivery :one
SELECT last_change, attempts, due_at, leased_until, failed_at, error FROM change_delivery WHERE site = @site;

-- name: LeaseChangeDelivery :one
-- Of callers side by side the first gets the row.
UPDATE change_delivery SET leased_until = @until, attempts = attempts + 1
WHERE site = @site AND last_change = @last_change AND due_at <= @now AND leased_until <= @now AND failed_at IS NULL
RETURNING attempts;

-- name: FinishChangeDelivery :execrows
UPDATE change_delivery SET last_change = @last_change, attempts = 0, due_at = @now, leased_until = @now, error = ''
WHERE site = @site AND last_change < @last_change;

-- name: PostponeChangeDelivery :exec
UPDATE change_delivery SET due_at = @due_at, leased_until = @now, failed_at = sqlc.narg(failed_at), error = @error
WHERE site = @site AND last_change = @last_change;

-- name: ResumeChangeDelivery :execrows
UPDATE change_delivery SET last_change = @last_change, attempts = 0, due_at = @now, leased_until = @now, failed_at = NULL, error = ''
WHERE site = @site;
