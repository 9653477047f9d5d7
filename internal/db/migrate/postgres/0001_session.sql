-- +goose Up

-- A visitor's browser. The token itself is known to the browser only.
CREATE TABLE session (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_hash bytea       NOT NULL UNIQUE,
    site       text        NOT NULL,
    created_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX session_expires_at ON session (expires_at);

-- A change that was asked for under a key. status is 0 and body null until the
-- first answer is known.
CREATE TABLE idempotency (
    session_id   bigint      NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    key          text        NOT NULL,
    request_hash bytea       NOT NULL,
    status       bigint      NOT NULL,
    body         bytea,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (session_id, key)
);
CREATE INDEX idempotency_created_at ON idempotency (created_at);
