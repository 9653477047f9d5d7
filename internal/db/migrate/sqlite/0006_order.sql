-- +goose Up

-- A checkout that was begun. order_id is 0 until the order is placed; from then on
-- the key answers with that order.
CREATE TABLE order_cache (
    key        text      NOT NULL PRIMARY KEY,
    session_id integer   NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    site       text      NOT NULL,
    city_id    integer   NOT NULL,
    order_id   integer   NOT NULL,
    created_at timestamp NOT NULL,
    expires_at timestamp NOT NULL
);
CREATE INDEX order_cache_expires_at ON order_cache (expires_at);

-- An order as it was placed. Only state, change_id and changed_at ever change. id is
-- the random number that the customer reads out. session_id outlives the session:
-- ids of sessions are never given twice. details is JSON: names and addresses as they
-- were, which no query asks for.
CREATE TABLE orders (
    id            integer   NOT NULL PRIMARY KEY,
    site          text      NOT NULL,
    city_id       integer   NOT NULL,
    shop_id       integer   NOT NULL,
    zone_id       integer   NOT NULL,
    session_id    integer   NOT NULL,
    cache_key     text      NOT NULL UNIQUE,
    request_hash  blob      NOT NULL,
    link          text      NOT NULL UNIQUE,
    order_type    text      NOT NULL,
    state         text      NOT NULL,
    change_id     integer   NOT NULL,
    changed_at    timestamp NOT NULL,
    phone         text      NOT NULL,
    payment_type  text      NOT NULL,
    interval_id   text      NOT NULL,
    promised_from timestamp NOT NULL,
    promised_to   timestamp NOT NULL,
    currency      text      NOT NULL,
    subtotal      integer   NOT NULL,
    packages      integer   NOT NULL,
    delivery      integer   NOT NULL,
    discount      integer   NOT NULL,
    bonuses       integer   NOT NULL,
    total         integer   NOT NULL,
    revision      integer   NOT NULL,
    details       blob      NOT NULL,
    created_at    timestamp NOT NULL,
    CHECK (total >= 0 AND total = subtotal + packages + delivery - discount - bonuses)
);
CREATE INDEX orders_created_at ON orders (site, city_id, created_at);
CREATE INDEX orders_open ON orders (created_at) WHERE state NOT IN ('done', 'canceled');

-- A line of an order as it was sold. body is JSON: names, modifiers, pictures.
CREATE TABLE order_line (
    order_id   integer NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    position   integer NOT NULL,
    product_id integer NOT NULL,
    count      integer NOT NULL,
    total      integer NOT NULL,
    body       blob    NOT NULL,
    PRIMARY KEY (order_id, position)
) WITHOUT ROWID;

-- Every state that an order was in, since when, and who brought it there.
CREATE TABLE order_status (
    id       integer   NOT NULL PRIMARY KEY AUTOINCREMENT,
    order_id integer   NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    state    text      NOT NULL,
    actor    text      NOT NULL,
    at       timestamp NOT NULL
);
CREATE INDEX order_status_order ON order_status (order_id, id);

-- Orders of others that a session may see, because it knew phone and number or link.
CREATE TABLE order_grant (
    session_id integer   NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    order_id   integer   NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    created_at timestamp NOT NULL,
    PRIMARY KEY (session_id, order_id)
) WITHOUT ROWID;
CREATE INDEX order_grant_order ON order_grant (order_id);

-- Where the courier of an order was last; no trail is kept.
CREATE TABLE courier_position (
    order_id    integer   NOT NULL PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    latitude    real      NOT NULL,
    longitude   real      NOT NULL,
    reported_at timestamp NOT NULL
);
CREATE INDEX courier_position_reported_at ON courier_position (reported_at);
