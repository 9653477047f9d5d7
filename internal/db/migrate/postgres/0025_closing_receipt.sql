-- +goose Up

-- The closing receipt of a payment whose own receipt was one of prepayment (54-FZ): it is
-- written with the state done of its order. id is the key of every call for it. lines is
-- JSON, what was handed over, and amount its sum: both are empty until the acquirer is asked
-- for the first time. tries is how often it was asked, check_at when it is to be asked next;
-- there is none once the outcome is certain.
CREATE TABLE closing_receipt (
    payment_id  text NOT NULL PRIMARY KEY REFERENCES payment (id),
    id          text NOT NULL UNIQUE,
    order_id    bigint NOT NULL REFERENCES orders (id),
    amount      bigint NOT NULL,
    lines       bytea NOT NULL,
    state       text NOT NULL,
    ref         text NOT NULL,
    code        text NOT NULL,
    tries       bigint NOT NULL,
    check_at    timestamptz,
    created_at  timestamptz NOT NULL,
    finished_at timestamptz,
    CHECK (amount >= 0)
);
CREATE INDEX closing_receipt_order ON closing_receipt (order_id);
CREATE INDEX closing_receipt_check ON closing_receipt (check_at) WHERE check_at IS NOT NULL;

-- What the receipt of a refund says: full_payment when the goods were handed over before,
-- empty for what the receipt of the payment says.
ALTER TABLE refund ADD COLUMN receipt_mode text NOT NULL DEFAULT '';

-- The receipts of the test bank's register. items is JSON: what was paid, by name.
CREATE TABLE sandbox_receipt (
    site          text NOT NULL,
    id            text NOT NULL,
    ref           text NOT NULL REFERENCES sandbox_payment (ref),
    kind          text NOT NULL,
    mode          text NOT NULL,
    amount        bigint NOT NULL,
    items         bytea NOT NULL,
    registered_at timestamptz NOT NULL,
    created_at    timestamptz NOT NULL,
    PRIMARY KEY (site, id)
);
CREATE INDEX sandbox_receipt_ref ON sandbox_receipt (ref);
