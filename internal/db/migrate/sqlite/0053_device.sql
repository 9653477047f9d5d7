-- +goose Up

-- A tablet of a shop. A code enrols it once until code_until; hash is that of the secret that it has since then.
-- person_id is the account of who works at it until person_until, 0 for nobody. seen_at is exact to five minutes.
CREATE TABLE staff_device (
    id           integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    name         text      NOT NULL,
    site         text      NOT NULL,
    shop_id      integer   NOT NULL,
    code_hash    blob UNIQUE,
    code_until   timestamp NOT NULL,
    hash         blob UNIQUE,
    person_id    integer   NOT NULL DEFAULT 0,
    person_until timestamp,
    created_by   text      NOT NULL,
    created_at   timestamp NOT NULL,
    enrolled_at  timestamp,
    seen_at      timestamp,
    ended_at     timestamp
);
CREATE INDEX staff_device_place ON staff_device (site, shop_id);

-- How many PINs of the account were wrong in a row.
ALTER TABLE staff_account ADD COLUMN pin_failures integer NOT NULL DEFAULT 0;
