-- +goose Up

-- Somebody wants to be notified when a place is delivered to.
CREATE TABLE undelivered_place (
    id         integer   NOT NULL PRIMARY KEY AUTOINCREMENT,
    site       text      NOT NULL,
    city_id    integer   NOT NULL,
    latitude   real      NOT NULL,
    longitude  real      NOT NULL,
    phone      text      NOT NULL,
    language   text      NOT NULL,
    created_at timestamp NOT NULL,
    UNIQUE (site, city_id, phone, latitude, longitude)
);
