-- +goose Up

-- People who work at the restaurant. shops is a list with spaces between; a site that is empty is every brand,
-- shops that are empty are all of the brand. password and pin are hashes of argon2id, recovery is a list of hashes
-- with spaces between. totp_step is the step of the last code that was used. An invitation sets password and
-- code; new_totp is the secret that it offers. removed_at frees the login.
CREATE TABLE staff_account (
    id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    login            text        NOT NULL,
    name             text        NOT NULL,
    role             text        NOT NULL,
    site             text        NOT NULL,
    shops            text        NOT NULL,
    password         text        NOT NULL DEFAULT '',
    totp_secret      text        NOT NULL DEFAULT '',
    totp_step        bigint      NOT NULL DEFAULT 0,
    new_totp         text        NOT NULL DEFAULT '',
    recovery         text        NOT NULL DEFAULT '',
    pin              text        NOT NULL DEFAULT '',
    invitation_hash  bytea UNIQUE,
    invitation_until timestamptz,
    created_at       timestamptz NOT NULL,
    removed_at       timestamptz
);
CREATE UNIQUE INDEX staff_account_login ON staff_account (login) WHERE removed_at IS NULL;

-- A sign-in of an account. hash is that of the secret; seen_at is exact to five minutes.
CREATE TABLE staff_session (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash       bytea       NOT NULL UNIQUE,
    account_id bigint      NOT NULL REFERENCES staff_account (id) ON DELETE CASCADE,
    browser    text        NOT NULL,
    created_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX staff_session_account ON staff_session (account_id);

-- How often somebody tried a login, a PIN or an invitation in vain since an instant. key is a hash of which.
CREATE TABLE staff_failure (
    key   bytea       NOT NULL PRIMARY KEY,
    count bigint      NOT NULL,
    since timestamptz NOT NULL
);
CREATE INDEX staff_failure_since ON staff_failure (since);
