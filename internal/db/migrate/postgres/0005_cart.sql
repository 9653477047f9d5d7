-- +goose Up

-- What a visitor wants in one city. body is the cart as JSON; version goes up with
-- each change, and a change is saved only over the version that it was made from.
CREATE TABLE cart (
    session_id bigint      NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    site       text        NOT NULL,
    city_id    bigint      NOT NULL,
    body       bytea       NOT NULL,
    version    bigint      NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (session_id, site, city_id)
);
