-- +goose Up

-- A tablet of a shop. A code enrols it once until code_until; hash is that of the secret that it has since then.
-- person_id is the account of who works at it until person_until, 0 for nobody. seen_at is exact to five minutes.
CREATE TABLE staff_device (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name         text        NOT NULL,
    site         text        NOT NULL,
    shop_id      bigint      NOT NULL,
    code_hash    bytea UNIQUE,
    code_until   timestamptz NOT NULL,
    hash         bytea UNIQUE,
    person_id    bigint      NOT NULL DEFAULT 0,
    person_until timestamptz,
    created_by   text        NOT NULL,
    created_at   timestamptz NOT NULL,
    enrolled_at  timestamptz,
    seen_at      timestamptz,
    ended_at     timestamptz
);
CREATE INDEX staff_device_place ON staff_device (site, shop_id);

-- How many PINs of the account were wrong in a row.
ALTER TABLE staff_account ADD COLUMN pin_failures bigint NOT NULL DEFAULT 0;
