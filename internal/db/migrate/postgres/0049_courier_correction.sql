-- +goose Up

-- Who brings an order, as the restaurant's system names them; all empty while nobody does. They go with
-- the person of the order.
ALTER TABLE orders ADD COLUMN courier_id text NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN courier_name text NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN courier_phone text NOT NULL DEFAULT '';
ALTER TABLE order_status ADD COLUMN courier_id text NOT NULL DEFAULT '';

-- What of an order paid online is collected at the hand-over, and by how much its total has become less
-- than what was paid, because it was corrected.
ALTER TABLE orders ADD COLUMN surcharge bigint NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN reduction bigint NOT NULL DEFAULT 0;
-- What of an order was corrected, by names of fields with commas between.
ALTER TABLE order_status ADD COLUMN fields text NOT NULL DEFAULT '';

-- Corrections of an order. effect, before and after are JSON: prices and promise, which name no person;
-- and of the person what was corrected, which goes with the person of the order.
CREATE TABLE order_correction (
    order_id  bigint NOT NULL REFERENCES orders (id),
    call_key  text NOT NULL,
    call_hash bytea NOT NULL,
    effect    bytea NOT NULL,
    before    bytea NOT NULL,
    after     bytea NOT NULL,
    note      text NOT NULL,
    actor     text NOT NULL,
    at        timestamptz NOT NULL,
    PRIMARY KEY (order_id, call_key)
);
