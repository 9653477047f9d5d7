-- +goose Up

-- A visitor's browser. The token itself is known to the browser only.
CREATE TABLE session (
    id         integer   NOT NULL PRIMARY KEY AUTOINCREMENT,
    token_hash blob      NOT NULL UNIQUE,
    site       text      NOT NULL,
    created_at timestamp NOT NULL,
    seen_at    timestamp NOT NULL,
    expires_at timestamp NOT NULL
);
CREATE INDEX session_expires_at ON session (expires_at);

-- A change that was asked for under a key. status is 0 and body null until the
-- first answer is known.
CREATE TABLE idempotency (
    session_id   integer   NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    key          text      NOT NULL,
    request_hash blob      NOT NULL,
    status       integer   NOT NULL,
    body         blob,
    created_at   timestamp NOT NULL,
    PRIMARY KEY (session_id, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_created_at ON idempotency (created_at);
