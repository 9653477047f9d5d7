-- +goose Up

-- A group of the menu can be stopped too, and a stop says why and by whom it was set.
CREATE TABLE stop_wider (
    site       text      NOT NULL,
    kind       text      NOT NULL CHECK (kind IN ('product', 'modifier', 'ingredient', 'group')),
    alias      text      NOT NULL,
    shop_id    integer   NOT NULL,
    until      timestamp,
    created_at timestamp NOT NULL,
    reason     text      NOT NULL DEFAULT '',
    note       text      NOT NULL DEFAULT '',
    actor      text      NOT NULL DEFAULT '',
    PRIMARY KEY (site, kind, alias, shop_id)
) WITHOUT ROWID;
INSERT INTO stop_wider (site, kind, alias, shop_id, until, created_at)
SELECT site, kind, alias, shop_id, until, created_at FROM stop;
DROP TABLE stop;
ALTER TABLE stop_wider RENAME TO stop;

-- What a kitchen has said about the hours until an instant: that it takes no work, or that work takes
-- so many minutes longer. order_type is empty for orders of every type.
CREATE TABLE kitchen_state (
    site       text      NOT NULL,
    shop_id    integer   NOT NULL,
    order_type text      NOT NULL CHECK (order_type IN ('', 'delivery', 'takeaway')),
    kind       text      NOT NULL CHECK (kind IN ('pause', 'busy')),
    minutes    integer   NOT NULL CHECK (minutes >= 0),
    until      timestamp NOT NULL,
    reason     text      NOT NULL,
    note       text      NOT NULL,
    actor      text      NOT NULL,
    created_at timestamp NOT NULL,
    PRIMARY KEY (site, shop_id, order_type, kind)
) WITHOUT ROWID;
