-- +goose NO TRANSACTION
-- +goose Up

-- The index as SQLite needs it: see the migration of SQLite.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS orders_of_idle_guests;
CREATE INDEX CONCURRENTLY orders_of_idle_guests ON orders (site, COALESCE(person_seen_at, created_at)) WHERE customer_id < 1 AND session_id <> 0;
DROP INDEX CONCURRENTLY IF EXISTS orders_idle;
SET lock_timeout = '3s';
