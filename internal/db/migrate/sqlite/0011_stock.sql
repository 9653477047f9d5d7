-- +goose Up

-- How much of a limited thing is used or held, of a limit that content sets: uses of a
-- promocode, gifts with a stock, presents. scope is the phone where each phone has a
-- count of its own, else empty. The check is what makes it impossible to exceed a limit:
-- max_used is that of the last time that something was taken, and what was taken under a
-- higher one before stays.
CREATE TABLE stock_count (
    site     text    NOT NULL,
    kind     text    NOT NULL,
    thing_id integer NOT NULL,
    scope    text    NOT NULL,
    used     integer NOT NULL,
    max_used integer NOT NULL,
    PRIMARY KEY (site, kind, thing_id, scope),
    CHECK (used BETWEEN 0 AND max_used)
) WITHOUT ROWID;

-- Who holds what: an order until expires_at, or for good where that is null. things is a
-- JSON list of what was taken from stock_count.
CREATE TABLE stock_hold (
    holder     text NOT NULL PRIMARY KEY,
    things     text NOT NULL,
    expires_at timestamp
);
CREATE INDEX stock_hold_expires_at ON stock_hold (expires_at);
