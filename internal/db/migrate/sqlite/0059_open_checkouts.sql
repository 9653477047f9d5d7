-- +goose Up

-- What a session holds is found without its checkouts that have become orders.
DROP INDEX order_cache_session;
CREATE INDEX order_cache_open ON order_cache (session_id, site, city_id, order_id, expires_at);
