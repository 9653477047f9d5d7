-- name: SaveAddress :one
-- The same address of the same visitor stays one row.
INSERT INTO delivery_address (
    session_id, customer_id, site, city_id, precision_kind, address, full_address, locality, district, street, house,
    room, private_house, building, rear_building, entrance, floor, intercom, bell_name, landmark, description,
    latitude, longitude, delivery_zone_id, created_at, used_at
) VALUES (
    @session_id, @customer_id, @site, @city_id, @precision_kind, @address, @full_address, @locality, @district, @street, @house,
    @room, @private_house, @building, @rear_building, @entrance, @floor, @intercom, @bell_name, @landmark, @description,
    @latitude, @longitude, @delivery_zone_id, @now, @now
)
ON CONFLICT (session_id, site, city_id, full_address, room, latitude, longitude) DO UPDATE
SET private_house = excluded.private_house, building = excluded.building, rear_building = excluded.rear_building,
    entrance = excluded.entrance, floor = excluded.floor, intercom = excluded.intercom,
    bell_name = excluded.bell_name, landmark = excluded.landmark, description = excluded.description, delivery_zone_id = excluded.delivery_zone_id, used_at = excluded.used_at,
    customer_id = COALESCE(excluded.customer_id, delivery_address.customer_id)
RETURNING id;

-- name: ListAddresses :many
SELECT id, city_id, precision_kind, address, full_address, locality, district, street, house,
       room, private_house, building, rear_building, entrance, floor, intercom, bell_name, landmark, description,
       latitude, longitude, delivery_zone_id
FROM delivery_address
WHERE (session_id = @session_id OR customer_id = @customer_id) AND site = @site
ORDER BY used_at DESC, id DESC;

-- name: GetAddress :one
SELECT id, city_id, precision_kind, address, full_address, locality, district, street, house,
       room, private_house, building, rear_building, entrance, floor, intercom, bell_name, landmark, description,
       latitude, longitude, delivery_zone_id
FROM delivery_address
WHERE id = @id AND (session_id = @session_id OR customer_id = @customer_id) AND site = @site;

-- name: DeleteAddress :execrows
-- The same place saved on another device of the customer goes with it.
DELETE FROM delivery_address
WHERE id IN (
    SELECT same.id
    FROM delivery_address a
    JOIN delivery_address same ON same.site = a.site AND same.city_id = a.city_id AND same.full_address = a.full_address
        AND same.room = a.room AND same.latitude = a.latitude AND same.longitude = a.longitude
    WHERE a.id = @id AND a.site = @site AND (a.session_id = @session_id OR a.customer_id = @customer_id)
        AND (same.session_id = @session_id OR same.customer_id = @customer_id)
);

-- name: DeleteOldestAddresses :exec
-- Keeps the thirty that were used last.
DELETE FROM delivery_address
WHERE id IN (
    SELECT a.id FROM delivery_address AS a
    WHERE (a.session_id = @session_id OR a.customer_id = @customer_id) AND a.site = @site
    ORDER BY a.used_at DESC, a.id DESC
    LIMIT 1000 OFFSET 30
);

-- name: GiveAddressesToCustomer :exec
UPDATE delivery_address SET customer_id = @customer_id, session_id = @session_id WHERE session_id = @guest_id AND customer_id IS NULL;

-- name: PartAddressesFromSessions :exec
-- What belongs to a customer outlives the session in which it was saved.
UPDATE delivery_address SET session_id = NULL
WHERE customer_id IS NOT NULL AND session_id IN (SELECT s.id FROM session s WHERE s.expires_at <= @now);

-- name: DeleteAddressesOfCustomer :exec
DELETE FROM delivery_address WHERE customer_id = CAST(@customer_id AS bigint);
