-- +goose Up

-- People who work at the restaurant. shops is a list with spaces between; a site that is empty is every brand,
-- shops that are empty are all of the brand. password and pin are hashes of argon2id, recovery is a list of hashes
-- with spaces between. totp_step is the step of the last code that was used. An invitation sets password and
-- code; new_totp is the secret that it offers. removed_at frees the login.
CREATE TABLE staff_account (
    id               integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    login            text      NOT NULL,
    name             text      NOT NULL,
    role             text      NOT NULL,
    site             text      NOT NULL,
    shops            text      NOT NULL,
    password         text      NOT NULL DEFAULT '',
    totp_secret      text      NOT NULL DEFAULT '',
    totp_step        integer   NOT NULL DEFAULT 0,
    new_totp         text      NOT NULL DEFAULT '',
    recovery         text      NOT NULL DEFAULT '',
    pin              text      NOT NULL DEFAULT '',
    invitation_hash  blob UNIQUE,
    invitation_until timestamp,
    created_at       timestamp NOT NULL,
    removed_at       timestamp
);
CREATE UNIQUE INDEX staff_account_login ON staff_account (login) WHERE removed_at IS NULL;

-- A sign-in of an account. hash is that of the secret; seen_at is exact to five minutes.
CREATE TABLE staff_session (
    id         integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    hash       blob      NOT NULL UNIQUE,
    account_id integer   NOT NULL REFERENCES staff_account (id) ON DELETE CASCADE,
    browser    text      NOT NULL,
    created_at timestamp NOT NULL,
    seen_at    timestamp NOT NULL,
    expires_at timestamp NOT NULL
);
CREATE INDEX staff_session_account ON staff_session (account_id);

-- How often somebody tried a login, a PIN or an invitation in vain since an instant. key is a hash of which.
CREATE TABLE staff_failure (
    key   blob      NOT NULL PRIMARY KEY,
    count integer   NOT NULL,
    since timestamp NOT NULL
);
CREATE INDEX staff_failure_since ON staff_failure (since);
