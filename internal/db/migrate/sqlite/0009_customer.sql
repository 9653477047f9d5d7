-- +goose Up

-- Who a brand's bonuses, presents and carts belong to. A phone is one customer of a
-- brand, and another one of another brand.
CREATE TABLE customer (
    id         integer   NOT NULL PRIMARY KEY AUTOINCREMENT,
    site       text      NOT NULL,
    phone      text      NOT NULL,
    name       text      NOT NULL,
    created_at timestamp NOT NULL,
    UNIQUE (site, phone)
);

-- The customer who has signed in; null for a guest.
ALTER TABLE session ADD COLUMN customer_id integer REFERENCES customer (id) ON DELETE SET NULL;
CREATE INDEX session_customer_id ON session (customer_id);

-- A secret that signs a customer in once. The secret itself is known to its bearer only.
CREATE TABLE sign_in_link (
    token_hash  blob      NOT NULL PRIMARY KEY,
    customer_id integer   NOT NULL REFERENCES customer (id) ON DELETE CASCADE,
    site        text      NOT NULL,
    created_at  timestamp NOT NULL,
    expires_at  timestamp NOT NULL,
    used_at     timestamp
) WITHOUT ROWID;
CREATE INDEX sign_in_link_customer_id ON sign_in_link (customer_id);
CREATE INDEX sign_in_link_expires_at ON sign_in_link (expires_at);

-- A gift of the content that was given to one customer. key makes a gift that was asked
-- for twice one present; expires_at null means that it is there for ever.
CREATE TABLE present (
    id          integer   NOT NULL PRIMARY KEY AUTOINCREMENT,
    site        text      NOT NULL,
    customer_id integer   NOT NULL REFERENCES customer (id) ON DELETE CASCADE,
    gift_id     integer   NOT NULL,
    count       integer   NOT NULL CHECK (count > 0),
    key         text      NOT NULL,
    created_at  timestamp NOT NULL,
    expires_at  timestamp,
    UNIQUE (site, key)
);
CREATE INDEX present_customer_id ON present (customer_id);
