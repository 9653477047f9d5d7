-- +goose Up

-- The addresses that a visitor has delivered to. One that belongs to a session only
-- goes with it.
CREATE TABLE delivery_address (
    id               integer          NOT NULL PRIMARY KEY AUTOINCREMENT,
    session_id       integer          REFERENCES session (id) ON DELETE CASCADE,
    customer_id      integer,
    site             text             NOT NULL,
    city_id          integer          NOT NULL,
    precision_kind   text             NOT NULL,
    address          text             NOT NULL,
    full_address     text             NOT NULL,
    locality         text             NOT NULL,
    district         text             NOT NULL,
    street           text             NOT NULL,
    house            text             NOT NULL,
    room             text             NOT NULL,
    entrance         text             NOT NULL,
    floor            text             NOT NULL,
    intercom         text             NOT NULL,
    description      text             NOT NULL,
    latitude         real             NOT NULL,
    longitude        real             NOT NULL,
    delivery_zone_id integer,
    created_at       timestamp        NOT NULL,
    used_at          timestamp        NOT NULL,
    CHECK (session_id IS NOT NULL OR customer_id IS NOT NULL),
    UNIQUE (session_id, site, city_id, full_address, room, latitude, longitude)
);
CREATE INDEX delivery_address_customer_id ON delivery_address (customer_id);
