-- +goose Up
-- When a person was last seen, as far as the sweep knows: their data is removed when they were
-- idle for the brand's term. Null is the day on which the row was made.
ALTER TABLE customer ADD COLUMN seen_at timestamptz;
CREATE INDEX customer_idle ON customer (site, COALESCE(seen_at, created_at)) WHERE erased_at IS NULL;
ALTER TABLE orders ADD COLUMN person_seen_at timestamptz;
-- Orders of guests that name a person yet: those that do not have no session.
CREATE INDEX orders_idle ON orders (site, COALESCE(person_seen_at, created_at)) WHERE customer_id = 0 AND session_id <> 0;
-- When the cart was last changed, as far as the sweep knows: changing a cart does not touch it,
-- nor these indices.
ALTER TABLE cart ADD COLUMN seen_at timestamptz;
CREATE INDEX cart_of_guest_seen_at ON cart (site, seen_at) WHERE customer_id IS NULL;
CREATE INDEX cart_of_customer_seen_at ON cart (site, seen_at) WHERE customer_id IS NOT NULL;
-- Since when the sweep has known that nothing releases the hold by itself any more.
ALTER TABLE stock_hold ADD COLUMN confirmed_at timestamptz;
CREATE INDEX stock_hold_confirmed_at ON stock_hold (confirmed_at) WHERE expires_at IS NULL;
CREATE INDEX undelivered_place_created_at ON undelivered_place (created_at);
CREATE INDEX present_expires_at ON present (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX payment_event_at ON payment_event (at);
