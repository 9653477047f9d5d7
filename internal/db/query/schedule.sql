-- name: TakeSlot :execrows
-- No row changes when the slot has no room left.
INSERT INTO slot (shop_id, order_type, starts_at, product_group_id, used_minutes, ceiling_minutes, holds)
VALUES (@shop_id, @order_type, @starts_at, @product_group_id, @minutes, @ceiling, 1)
ON CONFLICT (shop_id, order_type, starts_at, product_group_id) DO UPDATE
SET used_minutes = slot.used_minutes + excluded.used_minutes,
    ceiling_minutes = excluded.ceiling_minutes,
    holds = slot.holds + 1
WHERE slot.used_minutes + excluded.used_minutes <= excluded.ceiling_minutes;

-- name: GiveSlotBack :execrows
UPDATE slot SET used_minutes = used_minutes - @minutes, holds = holds - 1
WHERE shop_id = @shop_id AND order_type = @order_type AND starts_at = @starts_at
  AND product_group_id = @product_group_id;

-- name: ListUsedSlots :many
SELECT starts_at, product_group_id, used_minutes
FROM slot
WHERE shop_id = @shop_id AND order_type = @order_type
  AND starts_at >= @from_time AND starts_at < @to_time AND used_minutes > 0
ORDER BY starts_at, product_group_id;

-- name: InsertSlotHold :execrows
-- No row is inserted when the holder has one.
INSERT INTO slot_hold (holder, shop_id, order_type, starts_at, minutes, earlier, expires_at, address, network)
VALUES (@holder, @shop_id, @order_type, @starts_at, @minutes, @earlier, @expires_at, @address, @network)
ON CONFLICT (holder) DO NOTHING;

-- name: InsertNewSlotHold :exec
-- For a holder that no other call knows.
INSERT INTO slot_hold (holder, shop_id, order_type, starts_at, minutes, earlier, expires_at, address, network)
VALUES (@holder, @shop_id, @order_type, @starts_at, @minutes, @earlier, @expires_at, @address, @network);

-- name: MoveSlotHold :exec
UPDATE slot_hold SET starts_at = @starts_at, minutes = @minutes, earlier = @earlier WHERE holder = @holder;

-- name: GetSlotHold :one
SELECT holder, shop_id, order_type, starts_at, minutes, expires_at, earlier, address, network
FROM slot_hold
WHERE holder = @holder;

-- name: RenameSlotHold :execrows
UPDATE slot_hold SET holder = @new_holder, expires_at = NULL, address = '', network = '' WHERE holder = @holder;

-- name: DeleteSlotHold :many
DELETE FROM slot_hold
WHERE holder = @holder
RETURNING holder, shop_id, order_type, starts_at, minutes, expires_at, earlier, address, network;

-- name: DeleteExpiredSlotHolds :many
DELETE FROM slot_hold
WHERE expires_at <= @now
RETURNING holder, shop_id, order_type, starts_at, minutes, expires_at, earlier, address, network;

-- name: DeletePastSlotHolds :execrows
DELETE FROM slot_hold WHERE holder IN (
    SELECT d.holder FROM slot_hold d WHERE d.starts_at < @before_time LIMIT 500
);

-- name: DeletePastSlots :execrows
DELETE FROM slot WHERE (shop_id, order_type, starts_at, product_group_id) IN (
    SELECT d.shop_id, d.order_type, d.starts_at, d.product_group_id FROM slot d WHERE d.starts_at < @before_time LIMIT 500
);

-- name: ListHoldsOfNetwork :many
-- What checkouts of a network hold.
SELECT address, shop_id, order_type, starts_at, minutes
FROM slot_hold
WHERE network = @network AND network <> '' AND expires_at > @now
LIMIT 1000;

-- name: ListHoldsOfInterval :many
-- What checkouts hold of an interval.
SELECT minutes
FROM slot_hold
WHERE starts_at = @starts_at AND shop_id = @shop_id AND order_type = @order_type AND expires_at > @now;
