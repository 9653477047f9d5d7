-- +goose Up

-- The books of the test bank, which moves no money; a release has the tables and never
-- fills them. step is where the customer stands while the payment is open, outcome which
-- of the test cards or buttons was chosen, due_at when the bank decides by itself. asked is
-- a hash of the request, so that another one under the same id is distinguished.
CREATE TABLE sandbox_payment (
    ref          text NOT NULL PRIMARY KEY,
    site         text NOT NULL,
    id           text NOT NULL,
    asked        blob NOT NULL,
    method       text NOT NULL,
    amount       integer NOT NULL,
    currency     text NOT NULL,
    description  text NOT NULL,
    language     text NOT NULL,
    return_url   text NOT NULL,
    fail_url     text NOT NULL,
    callback_url text NOT NULL,
    term_url     text NOT NULL,
    state        text NOT NULL,
    step         text NOT NULL,
    outcome      text NOT NULL,
    reason       text NOT NULL,
    card         text NOT NULL,
    trans_id     text NOT NULL,
    reserved     integer NOT NULL,
    refunded     integer NOT NULL,
    deadline     timestamp NOT NULL,
    due_at       timestamp,
    created_at   timestamp NOT NULL,
    version      integer NOT NULL,
    CHECK (refunded >= 0 AND refunded <= reserved AND reserved <= amount)
);
CREATE UNIQUE INDEX sandbox_payment_id ON sandbox_payment (site, id);
CREATE UNIQUE INDEX sandbox_payment_trans ON sandbox_payment (trans_id) WHERE trans_id <> '';
CREATE INDEX sandbox_payment_due ON sandbox_payment (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX sandbox_payment_created ON sandbox_payment (created_at);

CREATE TABLE sandbox_refund (
    site       text NOT NULL,
    id         text NOT NULL,
    ref        text NOT NULL REFERENCES sandbox_payment (ref),
    amount     integer NOT NULL,
    state      text NOT NULL,
    due_at     timestamp,
    created_at timestamp NOT NULL,
    PRIMARY KEY (site, id)
);
CREATE INDEX sandbox_refund_due ON sandbox_refund (due_at) WHERE due_at IS NOT NULL;

-- What the shop is still to be sent. next_at is missing once it was answered, or given up.
CREATE TABLE sandbox_callback (
    id         integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    ref        text NOT NULL REFERENCES sandbox_payment (ref),
    site       text NOT NULL,
    url        text NOT NULL,
    body       blob NOT NULL,
    tries      integer NOT NULL,
    status     integer NOT NULL,
    next_at    timestamp,
    created_at timestamp NOT NULL
);
CREATE INDEX sandbox_callback_ref ON sandbox_callback (ref);
CREATE INDEX sandbox_callback_next ON sandbox_callback (next_at) WHERE next_at IS NOT NULL;

-- What goes wrong with the next calls of a kind, on request.
CREATE TABLE sandbox_fault (
    site text NOT NULL,
    call text NOT NULL,
    kind text NOT NULL,
    left_over integer NOT NULL,
    PRIMARY KEY (site, call)
);
