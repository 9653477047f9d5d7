-- +goose Up

-- Prices in place of those of content. shop_id 0, an empty price list and an empty order type mean all;
-- until null means until it is removed.
CREATE TABLE live_price (
    site       text      NOT NULL,
    product    text      NOT NULL,
    shop_id    bigint    NOT NULL,
    price_list text      NOT NULL,
    order_type text      NOT NULL CHECK (order_type IN ('', 'delivery', 'takeaway')),
    price      bigint    NOT NULL CHECK (price >= 0),
    until      timestamptz,
    reason     text      NOT NULL,
    note       text      NOT NULL,
    actor      text      NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (site, product, shop_id, price_list, order_type)
);

-- What customers of a city or a shop are shown in place of the alert of content; one of the ids is 0.
-- texts are JSON by language.
CREATE TABLE live_alert (
    site       text      NOT NULL,
    city_id    bigint    NOT NULL,
    shop_id    bigint    NOT NULL,
    texts      text      NOT NULL,
    stops      boolean   NOT NULL,
    until      timestamptz,
    reason     text      NOT NULL,
    note       text      NOT NULL,
    actor      text      NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (site, city_id, shop_id)
);
