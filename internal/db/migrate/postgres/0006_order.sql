-- +goose Up

-- A checkout that was begun. order_id is 0 until the order is placed; from then on
-- the key answers with that order.
CREATE TABLE order_cache (
    key        text        NOT NULL PRIMARY KEY,
    session_id bigint      NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    site       text        NOT NULL,
    city_id    bigint      NOT NULL,
    order_id   bigint      NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX order_cache_expires_at ON order_cache (expires_at);

-- An order as it was placed. Only state, change_id and changed_at ever change. id is
-- the random number that the customer reads out. session_id outlives the session:
-- ids of sessions are never given twice. details is JSON: names and addresses as they
-- were, which no query asks for.
CREATE TABLE orders (
    id            bigint      NOT NULL PRIMARY KEY,
    site          text        NOT NULL,
    city_id       bigint      NOT NULL,
    shop_id       bigint      NOT NULL,
    zone_id       bigint      NOT NULL,
    session_id    bigint      NOT NULL,
    cache_key     text        NOT NULL UNIQUE,
    request_hash  bytea       NOT NULL,
    link          text        NOT NULL UNIQUE,
    order_type    text        NOT NULL,
    state         text        NOT NULL,
    change_id     bigint      NOT NULL,
    changed_at    timestamptz NOT NULL,
    phone         text        NOT NULL,
    payment_type  text        NOT NULL,
    interval_id   text        NOT NULL,
    promised_from timestamptz NOT NULL,
    promised_to   timestamptz NOT NULL,
    currency      text        NOT NULL,
    subtotal      bigint      NOT NULL,
    packages      bigint      NOT NULL,
    delivery      bigint      NOT NULL,
    discount      bigint      NOT NULL,
    bonuses       bigint      NOT NULL,
    total         bigint      NOT NULL,
    revision      bigint      NOT NULL,
    details       bytea       NOT NULL,
    created_at    timestamptz NOT NULL,
    CHECK (total >= 0 AND total = subtotal + packages + delivery - discount - bonuses)
);
CREATE INDEX orders_created_at ON orders (site, city_id, created_at);
CREATE INDEX orders_open ON orders (created_at) WHERE state NOT IN ('done', 'canceled');

-- A line of an order as it was sold. body is JSON: names, modifiers, pictures.
CREATE TABLE order_line (
    order_id   bigint NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    position   bigint NOT NULL,
    product_id bigint NOT NULL,
    count      bigint NOT NULL,
    total      bigint NOT NULL,
    body       bytea  NOT NULL,
    PRIMARY KEY (order_id, position)
);

-- Every state that an order was in, since when, and who brought it there.
CREATE TABLE order_status (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id bigint      NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    state    text        NOT NULL,
    actor    text        NOT NULL,
    at       timestamptz NOT NULL
);
CREATE INDEX order_status_order ON order_status (order_id, id);

-- Orders of others that a session may see, because it knew phone and number or link.
CREATE TABLE order_grant (
    session_id bigint      NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    order_id   bigint      NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (session_id, order_id)
);
CREATE INDEX order_grant_order ON order_grant (order_id);

-- Where the courier of an order was last; no trail is kept.
CREATE TABLE courier_position (
    order_id    bigint           NOT NULL PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    latitude    double precision NOT NULL,
    longitude   double precision NOT NULL,
    reported_at timestamptz      NOT NULL
);
CREATE INDEX courier_position_reported_at ON courier_position (reported_at);
