-- +goose Up

-- An order that is heavier than a ceiling takes minutes of several intervals: none is
-- overbooked any more, not by a single order either. One that was keeps its minutes.
CREATE TABLE slot_within_ceiling (
    shop_id          integer     NOT NULL,
    order_type       text        NOT NULL,
    starts_at        timestamp   NOT NULL,
    product_group_id integer     NOT NULL,
    used_minutes     integer     NOT NULL CHECK (used_minutes >= 0),
    ceiling_minutes  integer     NOT NULL CHECK (ceiling_minutes >= 0),
    holds            integer     NOT NULL CHECK (holds >= 0),
    PRIMARY KEY (shop_id, order_type, starts_at, product_group_id),
    CHECK ((used_minutes = 0) = (holds = 0)),
    CHECK (used_minutes <= ceiling_minutes)
) WITHOUT ROWID;
INSERT INTO slot_within_ceiling
SELECT shop_id, order_type, starts_at, product_group_id, used_minutes, max(ceiling_minutes, used_minutes), holds FROM slot;
DROP TABLE slot;
ALTER TABLE slot_within_ceiling RENAME TO slot;
CREATE INDEX slot_starts_at ON slot (starts_at);

-- A JSON object: of which intervals before starts_at the hold takes how much, by their ids as
-- minutes is written.
ALTER TABLE slot_hold ADD COLUMN earlier text NOT NULL DEFAULT '{}';
