-- +goose Up

-- A whole content folder, checked and normalized: gzip of JSON. The newest is sold.
CREATE TABLE revision (
    id         integer   NOT NULL PRIMARY KEY,
    hash       text      NOT NULL,
    body       blob      NOT NULL,
    created_at timestamp NOT NULL
);

-- Pictures of all revisions, by the hash of their bytes: carts and orders still show
-- those of older revisions.
CREATE TABLE picture (
    hash text NOT NULL PRIMARY KEY,
    type text NOT NULL,
    body blob NOT NULL
);

-- What the operator has stopped. shop_id 0 means every shop; until null means until
-- it is taken back.
CREATE TABLE stop (
    site       text      NOT NULL,
    kind       text      NOT NULL CHECK (kind IN ('product', 'modifier', 'ingredient')),
    alias      text      NOT NULL,
    shop_id    integer   NOT NULL,
    until      timestamp,
    created_at timestamp NOT NULL,
    PRIMARY KEY (site, kind, alias, shop_id)
) WITHOUT ROWID;

-- One row that counts the changes of stop, so that servers see them cheaply.
CREATE TABLE stop_version (
    id      integer NOT NULL PRIMARY KEY CHECK (id = 1),
    version integer NOT NULL
);
INSERT INTO stop_version (id, version) VALUES (1, 0);
