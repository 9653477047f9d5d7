-- +goose Up

-- How far the changes of a brand's orders were posted to its webhook. A caller posts the next ones until
-- leased_until; due_at is when it may be tried again after attempts in vain. failed_at is when it was
-- given up.
CREATE TABLE change_delivery (
    site         text        NOT NULL PRIMARY KEY,
    last_change  bigint      NOT NULL,
    attempts     bigint      NOT NULL,
    due_at       timestamptz NOT NULL,
    leased_until timestamptz NOT NULL,
    failed_at    timestamptz,
    error        text        NOT NULL,
    CHECK (last_change >= 0 AND attempts >= 0)
);
