-- +goose Up

-- Whose checkout holds the interval: marks of the network address and its network, which
-- cannot be read back and go with the hold.
ALTER TABLE slot_hold ADD COLUMN address text NOT NULL DEFAULT '';
ALTER TABLE slot_hold ADD COLUMN network text NOT NULL DEFAULT '';
CREATE INDEX slot_hold_network ON slot_hold (network) WHERE network <> '';

-- Since when the session has held an interval without a break, through checkouts that were
-- begun again.
ALTER TABLE order_cache ADD COLUMN held_since timestamp;

-- Where an order came from: a mark of the network address, kept for seven days. is_counted
-- says that it counts among those that a guest may place from there in an hour.
CREATE TABLE order_origin (
    order_id   integer   NOT NULL PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    site       text      NOT NULL,
    address    text      NOT NULL,
    is_counted boolean   NOT NULL,
    created_at timestamp NOT NULL
);
CREATE INDEX order_origin_address ON order_origin (site, address, created_at);
CREATE INDEX order_origin_created_at ON order_origin (created_at);
