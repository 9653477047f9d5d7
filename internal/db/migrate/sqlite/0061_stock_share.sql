-- +goose Up

-- A limited thing that many take at once, a promocode, has its limit split into shares, so that
-- they do not all wait for the one row of stock_count. What a share may hand out (max_used) is
-- counted as used in stock_count, whose check keeps the limit of the whole: in truth used are
-- stock_count.used and, less, what the shares have left. of_limit is the limit of the whole under
-- which a share got what it has left. What was used before stays in stock_count alone, and the
-- release before, which knows no shares, counts there too.
CREATE TABLE stock_share (
    site     text   NOT NULL,
    kind     text   NOT NULL,
    thing_id integer NOT NULL,
    share    integer NOT NULL,
    used     integer NOT NULL,
    max_used integer NOT NULL,
    of_limit integer NOT NULL,
    PRIMARY KEY (site, kind, thing_id, share),
    CHECK (used BETWEEN 0 AND max_used)
) WITHOUT ROWID;
