-- name: SaveAddress :one
-- The same address of the same visitor stays one row.
INSERT INTO delivery_address (
    session_id, site, city_id, precision_kind, address, full_address, locality, district, street, house,
    room, entrance, floor, intercom, description, latitude, longitude, delivery_zone_id, created_at, used_at
) VALUES (
    @session_id, @site, @city_id, @precision_kind, @address, @full_address, @locality, @district, @street, @house,
    @room, @entrance, @floor, @intercom, @description, @latitude, @longitude, @delivery_zone_id, @now, @now
)
ON CONFLICT (session_id, site, city_id, full_address, room, latitude, longitude) DO UPDATE
SET entrance = excluded.entrance, floor = excluded.floor, intercom = excluded.intercom,
    description = excluded.description, delivery_zone_id = excluded.delivery_zone_id, used_at = excluded.used_at
RETURNING id;

-- name: ListAddresses :many
SELECT id, city_id, precision_kind, address, full_address, locality, district, street, house,
       room, entrance, floor, intercom, description, latitude, longitude, delivery_zone_id
FROM delivery_address
WHERE session_id = @session_id AND site = @site
ORDER BY used_at DESC, id DESC;

-- name: GetAddress :one
SELECT id, city_id, precision_kind, address, full_address, locality, district, street, house,
       room, entrance, floor, intercom, description, latitude, longitude, delivery_zone_id
FROM delivery_address
WHERE id = @id AND session_id = @session_id AND site = @site;

-- name: DeleteAddress :execrows
DELETE FROM delivery_address WHERE id = @id AND session_id = @session_id AND site = @site;

-- name: DeleteOldestAddresses :exec
-- Keeps the thirty that were used last.
DELETE FROM delivery_address
WHERE id IN (
    SELECT a.id FROM delivery_address AS a
    WHERE a.session_id = @session_id AND a.site = @site
    ORDER BY a.used_at DESC, a.id DESC
    LIMIT 1000 OFFSET 30
);
