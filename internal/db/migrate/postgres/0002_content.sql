-- +goose Up

-- A whole content folder, checked and normalized: gzip of JSON. The newest is sold.
CREATE TABLE revision (
    id         bigint      PRIMARY KEY,
    hash       text        NOT NULL,
    body       bytea       NOT NULL,
    created_at timestamptz NOT NULL
);

-- Pictures of all revisions, by the hash of their bytes: carts and orders still show
-- those of older revisions.
CREATE TABLE picture (
    hash text  PRIMARY KEY,
    type text  NOT NULL,
    body bytea NOT NULL
);

-- What the operator has stopped. shop_id 0 means every shop; until null means until
-- it is taken back.
CREATE TABLE stop (
    site       text        NOT NULL,
    kind       text        NOT NULL CHECK (kind IN ('product', 'modifier', 'ingredient')),
    alias      text        NOT NULL,
    shop_id    bigint      NOT NULL,
    until      timestamptz,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (site, kind, alias, shop_id)
);

-- One row that counts the changes of stop, so that servers see them cheaply.
CREATE TABLE stop_version (
    id      bigint PRIMARY KEY CHECK (id = 1),
    version bigint NOT NULL
);
INSERT INTO stop_version (id, version) VALUES (1, 0);
