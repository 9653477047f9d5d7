-- +goose NO TRANSACTION
-- +goose Up

-- What the sweeps look for by its age. The index of orders has those of guests that name a person
-- yet: the others have no session.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS customer_idle;
CREATE INDEX CONCURRENTLY customer_idle ON customer (site, COALESCE(seen_at, created_at)) WHERE erased_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS orders_idle;
CREATE INDEX CONCURRENTLY orders_idle ON orders (site, COALESCE(person_seen_at, created_at)) WHERE customer_id = 0 AND session_id <> 0;
DROP INDEX CONCURRENTLY IF EXISTS cart_of_guest_seen_at;
CREATE INDEX CONCURRENTLY cart_of_guest_seen_at ON cart (site, seen_at) WHERE customer_id IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS cart_of_customer_seen_at;
CREATE INDEX CONCURRENTLY cart_of_customer_seen_at ON cart (site, seen_at) WHERE customer_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS stock_hold_confirmed_at;
CREATE INDEX CONCURRENTLY stock_hold_confirmed_at ON stock_hold (confirmed_at) WHERE expires_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS undelivered_place_created_at;
CREATE INDEX CONCURRENTLY undelivered_place_created_at ON undelivered_place (created_at);
DROP INDEX CONCURRENTLY IF EXISTS present_expires_at;
CREATE INDEX CONCURRENTLY present_expires_at ON present (expires_at) WHERE expires_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS payment_event_at;
CREATE INDEX CONCURRENTLY payment_event_at ON payment_event (at);
SET lock_timeout = '3s';
