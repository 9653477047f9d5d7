-- +goose Up

-- Who changed what for the restaurant. kind, name and person say who, call by which call or command; was
-- and became are JSON objects of what changed.
CREATE TABLE audit_log (
    id         integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    at         timestamp NOT NULL,
    kind       text      NOT NULL,
    name       text      NOT NULL,
    person     text      NOT NULL,
    call       text      NOT NULL,
    site       text      NOT NULL,
    shop_id    integer   NOT NULL,
    subject    text      NOT NULL,
    subject_id text      NOT NULL,
    was        text      NOT NULL,
    became     text      NOT NULL
);
CREATE INDEX audit_log_at ON audit_log (at);
CREATE INDEX audit_log_subject ON audit_log (subject, subject_id, id);

-- A token of a system. hash is that of the secret; shops and rights are lists with spaces between. A site
-- that is empty is every brand, shops that are empty are all of the brand. used_at is kept by the hour.
CREATE TABLE access_token (
    id         integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    name       text      NOT NULL,
    hash       blob      NOT NULL UNIQUE,
    site       text      NOT NULL,
    shops      text      NOT NULL,
    rights     text      NOT NULL,
    created_at timestamp NOT NULL,
    expires_at timestamp NOT NULL,
    revoked_at timestamp,
    used_at    timestamp
);
CREATE UNIQUE INDEX access_token_name ON access_token (name) WHERE revoked_at IS NULL;
