-- +goose Up

-- A passkey of an account. credential is JSON of what its signatures are verified with; used_at is NULL until the
-- first sign-in.
CREATE TABLE staff_passkey (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id    bigint NOT NULL REFERENCES staff_account (id) ON DELETE CASCADE,
    credential_id bytea NOT NULL UNIQUE,
    credential    text NOT NULL,
    name          text NOT NULL,
    created_at    timestamptz NOT NULL,
    used_at       timestamptz
);
CREATE INDEX staff_passkey_account ON staff_passkey (account_id);

-- What a browser is asked to sign, once. hash is that of the secret by which the answer names it; An account is asked
-- one thing at a time; account_id is 0 for a sign-in.
CREATE TABLE staff_challenge (
    hash       bytea NOT NULL PRIMARY KEY,
    account_id bigint NOT NULL,
    data       text NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX staff_challenge_account ON staff_challenge (account_id) WHERE account_id <> 0;
CREATE INDEX staff_challenge_expires ON staff_challenge (expires_at);
