-- +goose NO TRANSACTION
-- +goose Up

-- The restaurant searches its orders by the day that they are promised for.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS orders_promised;
CREATE INDEX CONCURRENTLY orders_promised ON orders (site, promised_from, id);
SET lock_timeout = '3s';
