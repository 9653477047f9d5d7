-- +goose NO TRANSACTION
-- +goose Up

-- What a session holds is found without its checkouts that have become orders. The release before
-- reads by the same first columns.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS order_cache_open;
CREATE INDEX CONCURRENTLY order_cache_open ON order_cache (session_id, site, city_id, order_id, expires_at);
DROP INDEX CONCURRENTLY IF EXISTS order_cache_session;
SET lock_timeout = '3s';
