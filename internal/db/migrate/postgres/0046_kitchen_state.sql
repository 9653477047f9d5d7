-- +goose Up

-- A group of the menu can be stopped too, and a stop says why and by whom it was set.
ALTER TABLE stop DROP CONSTRAINT stop_kind_check;
ALTER TABLE stop ADD CONSTRAINT stop_kind_check
    CHECK (kind IN ('product', 'modifier', 'ingredient', 'group')) NOT VALID;
ALTER TABLE stop ADD COLUMN reason text NOT NULL DEFAULT '';
ALTER TABLE stop ADD COLUMN note text NOT NULL DEFAULT '';
ALTER TABLE stop ADD COLUMN actor text NOT NULL DEFAULT '';

-- What a kitchen has said about the hours until an instant: that it takes no work, or that work takes
-- so many minutes longer. order_type is empty for orders of every type.
CREATE TABLE kitchen_state (
    site       text        NOT NULL,
    shop_id    bigint      NOT NULL,
    order_type text        NOT NULL CHECK (order_type IN ('', 'delivery', 'takeaway')),
    kind       text        NOT NULL CHECK (kind IN ('pause', 'busy')),
    minutes    bigint      NOT NULL CHECK (minutes >= 0),
    until      timestamptz NOT NULL,
    reason     text        NOT NULL,
    note       text        NOT NULL,
    actor      text        NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (site, shop_id, order_type, kind)
);
