-- +goose Up

-- What visitors write to the brand. state says what became of the mail or webhook: none, waiting,
-- sent or failed; due_at is when the next attempt may begin.
CREATE TABLE feedback_form (
    id              integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    site            text        NOT NULL,
    kind            text        NOT NULL,
    city_id         integer      NOT NULL,
    customer_id     integer      NOT NULL,
    session_id      integer      NOT NULL,
    idempotency_key text        NOT NULL,
    content_hash    text        NOT NULL,
    name            text        NOT NULL,
    phone           text        NOT NULL,
    fields          text        NOT NULL,
    language        text        NOT NULL,
    agreement       text        NOT NULL,
    state           text        NOT NULL,
    attempts        integer      NOT NULL,
    due_at          timestamp NOT NULL,
    created_at      timestamp NOT NULL
);
CREATE UNIQUE INDEX feedback_form_key ON feedback_form (session_id, idempotency_key) WHERE idempotency_key <> '';
CREATE INDEX feedback_form_session ON feedback_form (session_id, created_at);
CREATE INDEX feedback_form_phone ON feedback_form (site, phone, created_at);
CREATE INDEX feedback_form_customer ON feedback_form (customer_id) WHERE customer_id <> 0;
CREATE INDEX feedback_form_due ON feedback_form (due_at) WHERE state = 'waiting';
CREATE INDEX feedback_form_created_at ON feedback_form (created_at);

-- A phone that is notified that its place is delivered to now.
CREATE TABLE delivery_notice (
    id         integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    site       text        NOT NULL,
    city_id    integer      NOT NULL,
    phone      text        NOT NULL,
    language   text        NOT NULL,
    attempts   integer      NOT NULL,
    due_at     timestamp NOT NULL,
    created_at timestamp NOT NULL
);
CREATE INDEX delivery_notice_phone ON delivery_notice (site, phone);
CREATE INDEX delivery_notice_due ON delivery_notice (due_at);
CREATE INDEX delivery_notice_created_at ON delivery_notice (created_at);
