-- +goose Up
-- When a person was last seen, as far as the sweep knows: their data is removed when they were
-- idle for the brand's term. Null is the day on which the row was made.
ALTER TABLE customer ADD COLUMN seen_at timestamp;
ALTER TABLE orders ADD COLUMN person_seen_at timestamp;
-- When the cart was last changed, as far as the sweep knows: changing a cart does not touch it.
ALTER TABLE cart ADD COLUMN seen_at timestamp;
-- Since when the sweep has known that nothing releases the hold by itself any more.
ALTER TABLE stock_hold ADD COLUMN confirmed_at timestamp;
