-- +goose Up

-- A code that was asked for bounds what is sent to its phone and by its address for a day.
-- It must not go with its session, which anyone who asks can end.
CREATE TABLE login_challenge_kept (
    id             integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    site           text NOT NULL,
    session_id     integer NOT NULL,
    phone          text NOT NULL,
    name           text NOT NULL,
    channel        text NOT NULL,
    lang           text NOT NULL,
    host           text NOT NULL,
    device_id      integer NOT NULL,
    address        text,
    network        text,
    captcha_passed boolean NOT NULL,
    salt           blob NOT NULL,
    code_length    integer NOT NULL,
    code_hash      blob NOT NULL,
    state          text NOT NULL,
    sender         text NOT NULL,
    ref            text NOT NULL,
    tries          integer NOT NULL,
    created_at     timestamp NOT NULL,
    expires_at     timestamp NOT NULL,
    claimed_at     timestamp,
    used_at        timestamp
);
INSERT INTO login_challenge_kept (id, site, session_id, phone, name, channel, lang, host, device_id, address, network, captcha_passed, salt, code_length,
    code_hash, state, sender, ref, tries, created_at, expires_at, claimed_at, used_at)
SELECT id, site, session_id, phone, name, channel, lang, host, device_id, address, network, captcha_passed, salt, code_length,
    code_hash, state, sender, ref, tries, created_at, expires_at, claimed_at, used_at
FROM login_challenge;
DROP TABLE login_challenge;
ALTER TABLE login_challenge_kept RENAME TO login_challenge;
CREATE INDEX login_challenge_session_id ON login_challenge (session_id, id);
CREATE INDEX login_challenge_phone ON login_challenge (site, phone, created_at);
CREATE INDEX login_challenge_address ON login_challenge (address, created_at);
CREATE INDEX login_challenge_network ON login_challenge (network, created_at);
CREATE INDEX login_challenge_created_at ON login_challenge (created_at);
