-- +goose Up

-- Whose money a refund is in the end, and who asked for it.
ALTER TABLE refund ADD COLUMN bearer text NOT NULL DEFAULT 'restaurant';
ALTER TABLE refund ADD COLUMN actor text NOT NULL DEFAULT '';

-- What the restaurant keeps of the money of a canceled order that was paid online.
ALTER TABLE orders ADD COLUMN kept bigint NOT NULL DEFAULT 0;

-- Money of an order paid on receipt that a person hands back. lines is JSON: what it is for. It is owed
-- until handed_back_at is set.
CREATE TABLE hand_refund (
    order_id       bigint      NOT NULL REFERENCES orders (id),
    call_key       text        NOT NULL,
    call_hash      bytea       NOT NULL,
    amount         bigint      NOT NULL,
    lines          bytea       NOT NULL,
    bearer         text        NOT NULL,
    reason         text        NOT NULL,
    actor          text        NOT NULL,
    created_at     timestamptz NOT NULL,
    handed_back_by text        NOT NULL DEFAULT '',
    handed_back_at timestamptz,
    PRIMARY KEY (order_id, call_key),
    CHECK (amount > 0)
);
-- Those that were marked as refunded before.
INSERT INTO hand_refund (order_id, call_key, call_hash, amount, lines, bearer, reason, actor, created_at, handed_back_by, handed_back_at)
SELECT id, 'before', CAST('' AS bytea), total, CAST('[]' AS bytea), 'restaurant', '', 'operator', refunded_at, 'operator', refunded_at
FROM orders
WHERE refunded_at IS NOT NULL AND payment_type IN ('cash', 'card') AND total > 0;
