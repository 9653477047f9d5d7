-- +goose Up

-- A sign-in with VK ID that a browser has begun: one at a time, used once. The state is
-- known to the browser; the verifier leaves the server on the way to VK only.
CREATE TABLE vk_sign_in (
    session_id integer NOT NULL PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
    state_hash blob NOT NULL,
    verifier   text NOT NULL,
    redirect   text NOT NULL,
    expires_at timestamp NOT NULL
);
CREATE INDEX vk_sign_in_expires_at ON vk_sign_in (expires_at);

-- A VK account that has come back and waits for a code to say which phone is its own.
CREATE TABLE vk_pending (
    session_id integer NOT NULL PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
    site       text NOT NULL,
    vk_user_id integer NOT NULL,
    expires_at timestamp NOT NULL
);
CREATE INDEX vk_pending_expires_at ON vk_pending (expires_at);

-- Who a VK account is at a brand. A customer may have several accounts.
CREATE TABLE vk_account (
    site        text NOT NULL,
    vk_user_id  integer NOT NULL,
    customer_id integer NOT NULL REFERENCES customer (id) ON DELETE CASCADE,
    created_at  timestamp NOT NULL,
    PRIMARY KEY (site, vk_user_id)
) WITHOUT ROWID;
CREATE INDEX vk_account_customer_id ON vk_account (customer_id);
