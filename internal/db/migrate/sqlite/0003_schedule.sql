-- +goose Up

-- The work that an interval of a shop has given away, for one product group or, with
-- 0, for the whole of its orders. An interval without a row is empty. The last check
-- is what makes overbooking impossible: only a single order may exceed the ceiling.
CREATE TABLE slot (
    shop_id          integer     NOT NULL,
    order_type       text        NOT NULL,
    starts_at        timestamp   NOT NULL,
    product_group_id integer     NOT NULL,
    used_minutes     integer     NOT NULL CHECK (used_minutes >= 0),
    ceiling_minutes  integer     NOT NULL CHECK (ceiling_minutes >= 0),
    holds            integer     NOT NULL CHECK (holds >= 0),
    PRIMARY KEY (shop_id, order_type, starts_at, product_group_id),
    CHECK ((used_minutes = 0) = (holds = 0)),
    CHECK (used_minutes <= ceiling_minutes OR holds = 1)
) WITHOUT ROWID;
CREATE INDEX slot_starts_at ON slot (starts_at);

-- Who holds how much of which interval: a checkout until expires_at, or an order.
-- minutes is a JSON object, product group to minutes, of what was taken from slot.
CREATE TABLE slot_hold (
    holder     text        NOT NULL PRIMARY KEY,
    shop_id    integer     NOT NULL,
    order_type text        NOT NULL,
    starts_at  timestamp   NOT NULL,
    minutes    text        NOT NULL,
    expires_at timestamp
);
CREATE INDEX slot_hold_expires_at ON slot_hold (expires_at);
CREATE INDEX slot_hold_starts_at ON slot_hold (starts_at);
