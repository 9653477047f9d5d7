-- name: InsertUndeliveredPlace :exec
-- The same wish left twice is kept once.
INSERT INTO undelivered_place (site, city_id, latitude, longitude, phone, language, created_at)
VALUES (@site, @city_id, @latitude, @longitude, @phone, @language, @now)
ON CONFLICT (site, city_id, phone, latitude, longitude) DO NOTHING;

-- name: DeleteUndeliveredPlaces :exec
DELETE FROM undelivered_place WHERE site = @site AND phone = @phone;

-- name: ListUndeliveredPlaces :many
SELECT city_id, latitude, longitude, language, created_at FROM undelivered_place
WHERE site = @site AND phone = @phone
ORDER BY created_at, id;
