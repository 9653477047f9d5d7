-- +goose Up

-- A cart belongs to a session, or to a customer, whose sessions share it. owner is what
-- it is found by: 'session:12', 'customer:7'.
CREATE TABLE cart_owned (
    session_id  integer REFERENCES session (id) ON DELETE CASCADE,
    site        text      NOT NULL,
    city_id     integer   NOT NULL,
    body        blob      NOT NULL,
    version     integer   NOT NULL,
    updated_at  timestamp NOT NULL,
    customer_id integer REFERENCES customer (id) ON DELETE CASCADE,
    owner       text      NOT NULL GENERATED ALWAYS AS (
        COALESCE('customer:' || CAST(customer_id AS text), 'session:' || CAST(session_id AS text))) STORED,
    CHECK ((session_id IS NULL) <> (customer_id IS NULL)),
    UNIQUE (owner, site, city_id),
    UNIQUE (session_id, site, city_id)
);
INSERT INTO cart_owned (session_id, site, city_id, body, version, updated_at)
SELECT session_id, site, city_id, body, version, updated_at FROM cart;
DROP TABLE cart;
ALTER TABLE cart_owned RENAME TO cart;
CREATE INDEX cart_customer_id ON cart (customer_id);

-- Whether a session has ordered before.
CREATE INDEX orders_session ON orders (session_id);
