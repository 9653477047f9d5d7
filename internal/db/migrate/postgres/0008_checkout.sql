-- +goose Up

-- The time that the checkout was begun with, which is what it holds; empty for none.
ALTER TABLE order_cache ADD COLUMN interval_id text NOT NULL DEFAULT '';
CREATE INDEX order_cache_session ON order_cache (session_id, site, city_id);
