-- +goose Up

-- Orders that are final and older than the term of their brand, each with all its rows of orders,
-- order_line, order_status, order_correction, payment, refund, hand_refund and closing_receipt in body:
-- compressed JSON. The other columns are those that a list, a sweep or a check of former orders finds
-- an order by. session_id, customer_id and person_seen_at are the newest; body may have older ones.
-- pictures are the hashes of the pictures that the order shows, with a space between.
CREATE TABLE order_archive (
    id             bigint NOT NULL PRIMARY KEY,
    site           text NOT NULL,
    shop_id        bigint NOT NULL,
    state          text NOT NULL,
    cache_key      text NOT NULL UNIQUE,
    session_id     bigint NOT NULL,
    customer_id    bigint NOT NULL,
    phone          text NOT NULL,
    person_seen_at timestamptz,
    promised_from  timestamptz NOT NULL,
    created_at     timestamptz NOT NULL,
    archived_at    timestamptz NOT NULL,
    pictures       text NOT NULL,
    body           bytea NOT NULL
);
CREATE INDEX order_archive_session ON order_archive (session_id);
CREATE INDEX order_archive_phone ON order_archive (site, phone);
CREATE INDEX order_archive_of_customer ON order_archive (site, customer_id, created_at, id) WHERE customer_id <> 0;
CREATE INDEX order_archive_of_idle_guests ON order_archive (site, COALESCE(person_seen_at, created_at)) WHERE customer_id < 1 AND session_id <> 0;
CREATE INDEX order_archive_promised ON order_archive (site, promised_from, id);

-- Acquirers name a payment and no order.
CREATE TABLE order_archive_payment (
    payment_id text NOT NULL PRIMARY KEY,
    order_id   bigint NOT NULL REFERENCES order_archive (id) ON DELETE CASCADE
);
CREATE INDEX order_archive_payment_order ON order_archive_payment (order_id);

-- When an order last came back from the archive, because it was read or changed.
ALTER TABLE orders ADD COLUMN recalled_at timestamptz;
