-- +goose Up

-- A text message to the customer of an order about one of its changes. state is waiting, sending, sent,
-- failed, unknown or left_out; at is when it came into that.
CREATE TABLE order_message (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id   bigint      NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    change_id  bigint      NOT NULL,
    kind       text        NOT NULL,
    state      text        NOT NULL,
    attempts   bigint      NOT NULL,
    due_at     timestamptz NOT NULL,
    at         timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (order_id, change_id)
);
CREATE INDEX order_message_unsent ON order_message (due_at) WHERE state IN ('waiting', 'sending');
CREATE INDEX order_message_created_at ON order_message (created_at);
