-- +goose Up

-- What a visitor wants in one city. body is the cart as JSON; version goes up with
-- each change, and a change is saved only over the version that it was made from.
CREATE TABLE cart (
    session_id integer   NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    site       text      NOT NULL,
    city_id    integer   NOT NULL,
    body       blob      NOT NULL,
    version    integer   NOT NULL,
    updated_at timestamp NOT NULL,
    PRIMARY KEY (session_id, site, city_id)
) WITHOUT ROWID;
