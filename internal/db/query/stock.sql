-- name: TakeStock :execrows
-- No row changes when there is not enough left. The caller asks for no more than the
-- limit, which a first row is not compared with here.
INSERT INTO stock_count (site, kind, thing_id, scope, used, max_used)
VALUES (@site, @kind, @thing_id, @scope, @count, @max_used)
ON CONFLICT (site, kind, thing_id, scope) DO UPDATE
SET used = stock_count.used + excluded.used, max_used = excluded.max_used
WHERE stock_count.used + excluded.used <= excluded.max_used;

-- name: GiveStockBack :execrows
UPDATE stock_count SET used = used - @count
WHERE site = @site AND kind = @kind AND thing_id = @thing_id AND scope = @scope;

-- name: ListUsedStock :many
SELECT thing_id, used
FROM stock_count
WHERE site = @site AND kind = @kind AND scope = '' AND used > 0;

-- name: GetUsedStock :one
SELECT used
FROM stock_count
WHERE site = @site AND kind = @kind AND thing_id = @thing_id AND scope = @scope;

-- name: InsertStockHold :execrows
-- No row is inserted when the holder has one.
INSERT INTO stock_hold (holder, things, expires_at)
VALUES (@holder, @things, @expires_at)
ON CONFLICT (holder) DO NOTHING;

-- name: ChangeStockHold :execrows
-- No row is changed when the holder has something else by now.
UPDATE stock_hold SET things = @things, expires_at = @expires_at
WHERE holder = @holder AND things = @held_things;

-- name: GetStockHold :one
SELECT things FROM stock_hold WHERE holder = @holder;

-- name: ConfirmStockHold :execrows
UPDATE stock_hold SET expires_at = NULL WHERE holder = @holder;

-- name: DeleteStockHold :many
DELETE FROM stock_hold WHERE holder = @holder RETURNING things;

-- name: ListExpiredStockHolds :many
SELECT holder FROM stock_hold WHERE expires_at <= @now;

-- name: DeleteExpiredStockHold :many
-- No row is deleted when the holder has it for good by now.
DELETE FROM stock_hold WHERE holder = @holder AND expires_at <= @now RETURNING things;
