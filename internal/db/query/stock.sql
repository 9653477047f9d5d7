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
-- What the shares of a thing have left is not used.
SELECT c.thing_id, CAST(c.used - COALESCE((SELECT SUM(s.max_used - s.used) FROM stock_share s
    WHERE s.site = c.site AND s.kind = c.kind AND s.thing_id = c.thing_id), 0) AS bigint) AS used
FROM stock_count c
WHERE c.site = @site AND c.kind = @kind AND c.scope = '' AND c.used > 0;

-- name: TakeStockOfShare :execrows
-- No row changes when there is not enough left in the share, or when another limit holds by now.
UPDATE stock_share SET used = used + @count
WHERE site = @site AND kind = @kind AND thing_id = @thing_id AND share = @share
    AND of_limit = @of_limit AND used + @count <= max_used;

-- name: GiveStockBackToShare :execrows
UPDATE stock_share SET used = used - @count
WHERE site = @site AND kind = @kind AND thing_id = @thing_id AND share = @share;

-- name: ListStockShares :many
-- The count of a thing, once with each of its shares; without any the share is 0.
SELECT c.used AS whole_used, CAST(COALESCE(s.share, 0) AS bigint) AS share,
    CAST(COALESCE(s.used, 0) AS bigint) AS used, CAST(COALESCE(s.max_used, 0) AS bigint) AS max_used,
    CAST(COALESCE(s.of_limit, 0) AS bigint) AS of_limit
FROM stock_count c
LEFT JOIN stock_share s ON s.site = c.site AND s.kind = c.kind AND s.thing_id = c.thing_id
WHERE c.site = @site AND c.kind = @kind AND c.thing_id = @thing_id AND c.scope = ''
ORDER BY 2;

-- name: LockStock :exec
-- The row of the thing is made if there is none, and locked. What is used above the limit stays.
INSERT INTO stock_count (site, kind, thing_id, scope, used, max_used)
VALUES (@site, @kind, @thing_id, '', 0, @max_used)
ON CONFLICT (site, kind, thing_id, scope) DO UPDATE
SET max_used = CASE WHEN stock_count.used > excluded.max_used THEN stock_count.used ELSE excluded.max_used END;

-- name: EmptyStockShares :many
-- No share has anything left; what is used of each stays.
UPDATE stock_share SET max_used = used, of_limit = @of_limit
WHERE site = @site AND kind = @kind AND thing_id = @thing_id
RETURNING used;

-- name: FillStockShare :exec
INSERT INTO stock_share (site, kind, thing_id, share, used, max_used, of_limit)
VALUES (@site, @kind, @thing_id, @share, 0, @count, @of_limit)
ON CONFLICT (site, kind, thing_id, share) DO UPDATE
SET max_used = stock_share.max_used + excluded.max_used, of_limit = excluded.of_limit;

-- name: SetStockUsed :exec
-- max_used stays above what is used, as LockStock left it.
UPDATE stock_count SET used = @used
WHERE site = @site AND kind = @kind AND thing_id = @thing_id AND scope = '';

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
