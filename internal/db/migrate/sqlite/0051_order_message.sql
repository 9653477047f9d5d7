-- +goose Up

-- A text message to the customer of an order about one of its changes. state is waiting, sending, sent,
-- failed, unknown or left_out; at is when it came into that.
CREATE TABLE order_message (
    id         integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    order_id   integer      NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    change_id  integer      NOT NULL,
    kind       text        NOT NULL,
    state      text        NOT NULL,
    attempts   integer      NOT NULL,
    due_at     timestamp NOT NULL,
    at         timestamp NOT NULL,
    created_at timestamp NOT NULL,
    UNIQUE (order_id, change_id)
);
CREATE INDEX order_message_unsent ON order_message (due_at) WHERE state IN ('waiting', 'sending');
CREATE INDEX order_message_created_at ON order_message (created_at);
