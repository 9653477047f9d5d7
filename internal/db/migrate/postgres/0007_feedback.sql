-- +goose Up

-- Somebody wants to be notified when a place is delivered to.
CREATE TABLE undelivered_place (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site       text             NOT NULL,
    city_id    bigint           NOT NULL,
    latitude   double precision NOT NULL,
    longitude  double precision NOT NULL,
    phone      text             NOT NULL,
    language   text             NOT NULL,
    created_at timestamptz      NOT NULL,
    UNIQUE (site, city_id, phone, latitude, longitude)
);
