-- +goose Up

-- A cart belongs to a session, or to a customer, whose sessions share it. owner is what
-- it is found by: 'session:12', 'customer:7'.
ALTER TABLE cart DROP CONSTRAINT cart_pkey;
ALTER TABLE cart ALTER COLUMN session_id DROP NOT NULL;
ALTER TABLE cart ADD COLUMN customer_id bigint REFERENCES customer (id) ON DELETE CASCADE;
ALTER TABLE cart ADD COLUMN owner text NOT NULL GENERATED ALWAYS AS (
    COALESCE('customer:' || CAST(customer_id AS text), 'session:' || CAST(session_id AS text))) STORED;
ALTER TABLE cart ADD CHECK ((session_id IS NULL) <> (customer_id IS NULL));
ALTER TABLE cart ADD UNIQUE (owner, site, city_id);
ALTER TABLE cart ADD UNIQUE (session_id, site, city_id);
CREATE INDEX cart_customer_id ON cart (customer_id);

-- Whether a session has ordered before.
CREATE INDEX orders_session ON orders (session_id);
