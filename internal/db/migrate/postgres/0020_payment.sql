-- +goose Up

-- A try to pay an order online. It is written before the acquirer is called, and id is the
-- key that makes the call safe to repeat. asked is JSON: what the acquirer was asked with
-- besides, next what it answered, proof how far its 3-D Secure was handed over. busy_until
-- is set while one of us asks for what must not be asked for side by side. check_at is when
-- the acquirer is to be asked what became of it; there is none once that is certain.
-- checked_at is when it was asked last. call_key is that of the call that began it.
-- taken_amount and taken_currency are what was really taken when that is not what was asked
-- for, 0 and '' else; refunded is then of that.
CREATE TABLE payment (
    id          text NOT NULL PRIMARY KEY,
    order_id    bigint NOT NULL REFERENCES orders (id),
    site        text NOT NULL,
    acquirer    text NOT NULL,
    method      text NOT NULL,
    amount      bigint NOT NULL,
    currency    text NOT NULL,
    state       text NOT NULL,
    ref         text NOT NULL,
    reason      text NOT NULL,
    code        text NOT NULL,
    refunded    bigint NOT NULL,
    taken_amount   bigint NOT NULL DEFAULT 0,
    taken_currency text NOT NULL DEFAULT '',
    asked       bytea NOT NULL,
    next        bytea NOT NULL,
    proof       text NOT NULL,
    call_key    text NOT NULL,
    started_at  timestamptz NOT NULL,
    deadline    timestamptz NOT NULL,
    busy_until  timestamptz,
    check_at    timestamptz,
    checked_at  timestamptz,
    checks      bigint NOT NULL,
    finished_at timestamptz,
    CHECK (amount > 0 AND taken_amount >= 0 AND (taken_amount = 0) = (taken_currency = '')),
    CHECK (refunded >= 0 AND refunded <= CASE WHEN taken_amount > 0 THEN taken_amount ELSE amount END)
);
CREATE INDEX payment_order ON payment (order_id, started_at);
-- One try at a time.
CREATE UNIQUE INDEX payment_live ON payment (order_id) WHERE state IN ('starting', 'pending');
CREATE UNIQUE INDEX payment_call ON payment (order_id, call_key) WHERE call_key <> '';
CREATE INDEX payment_check ON payment (check_at) WHERE check_at IS NOT NULL;

-- News of a payment that was applied: a second copy ends here.
CREATE TABLE payment_event (
    payment_id text NOT NULL REFERENCES payment (id) ON DELETE CASCADE,
    key        text NOT NULL,
    at         timestamptz NOT NULL,
    PRIMARY KEY (payment_id, key)
);

-- Money to give back. lines is JSON: what it is for. cause says who wanted it. tries is how
-- often the acquirer was asked; a refund that failed for certain is followed by another with
-- the next attempt.
CREATE TABLE refund (
    id          text NOT NULL PRIMARY KEY,
    payment_id  text NOT NULL REFERENCES payment (id),
    order_id    bigint NOT NULL REFERENCES orders (id),
    amount      bigint NOT NULL,
    state       text NOT NULL,
    cause       text NOT NULL,
    reason      text NOT NULL,
    lines       bytea NOT NULL,
    call_key    text NOT NULL,
    call_hash   bytea NOT NULL,
    ref         text NOT NULL,
    code        text NOT NULL,
    tries       bigint NOT NULL,
    attempt     bigint NOT NULL,
    check_at    timestamptz,
    created_at  timestamptz NOT NULL,
    finished_at timestamptz,
    CHECK (amount > 0)
);
CREATE INDEX refund_order ON refund (order_id, created_at);
-- One at a time: acquirers that forget our id are asked how much was given back so far.
CREATE UNIQUE INDEX refund_running ON refund (payment_id) WHERE state = 'running';
CREATE UNIQUE INDEX refund_call ON refund (order_id, call_key) WHERE call_key <> '';
CREATE INDEX refund_check ON refund (check_at) WHERE check_at IS NOT NULL;

-- The payment that the order was accepted for, empty for none.
ALTER TABLE orders ADD COLUMN paid_by text NOT NULL DEFAULT '';
CREATE UNIQUE INDEX orders_paid_by ON orders (paid_by) WHERE paid_by <> '';

-- When an order that is paid online and still not paid is canceled.
ALTER TABLE orders ADD COLUMN pay_until timestamptz;
DROP INDEX orders_unpaid;
CREATE INDEX orders_unpaid ON orders (pay_until) WHERE state = 'waiting_for_payment';
