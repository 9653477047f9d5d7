-- +goose Up

-- What the program made for itself at its first start and shares among its processes.
CREATE TABLE secret (
    name       text NOT NULL PRIMARY KEY,
    value      bytea NOT NULL,
    created_at timestamptz NOT NULL
);

-- A code that one browser asked for, sent to one phone. The code itself is nowhere:
-- it follows from salt and the server's secret, and code_hash is a keyed hash of what must
-- be entered. state is sending, sent, failed, or withheld for one that is answered alike but
-- not sent; address and network are null then. device_id is the known device that asked, 0
-- for a stranger. sender and ref say who checks the code where a provider does.
CREATE TABLE login_challenge (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site           text NOT NULL,
    session_id     bigint NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    phone          text NOT NULL,
    name           text NOT NULL,
    channel        text NOT NULL,
    lang           text NOT NULL,
    host           text NOT NULL,
    device_id      bigint NOT NULL,
    address        text,
    network        text,
    captcha_passed boolean NOT NULL,
    salt           bytea NOT NULL,
    code_length    bigint NOT NULL,
    code_hash      bytea NOT NULL,
    state          text NOT NULL,
    sender         text NOT NULL,
    ref            text NOT NULL,
    tries          bigint NOT NULL,
    created_at     timestamptz NOT NULL,
    expires_at     timestamptz NOT NULL,
    claimed_at     timestamptz,
    used_at        timestamptz
);
CREATE INDEX login_challenge_session_id ON login_challenge (session_id, id);
CREATE INDEX login_challenge_phone ON login_challenge (site, phone, created_at);
CREATE INDEX login_challenge_address ON login_challenge (address, created_at);
CREATE INDEX login_challenge_network ON login_challenge (network, created_at);
CREATE INDEX login_challenge_created_at ON login_challenge (created_at);

-- A browser that a phone has signed in on before. Phones stand here as keyed hashes.
CREATE TABLE login_device (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site       text NOT NULL,
    phone_hash bytea NOT NULL,
    token_hash bytea NOT NULL,
    seen_at    timestamptz NOT NULL,
    UNIQUE (site, token_hash, phone_hash)
);
CREATE INDEX login_device_phone_hash ON login_device (site, phone_hash);
CREATE INDEX login_device_seen_at ON login_device (seen_at);

-- How often a wrong code was entered for a phone: by strangers (device_id 0) and from each
-- known device. in_row is since the last right one, wrong since a quiet month, today since
-- day_began.
CREATE TABLE login_budget (
    site       text NOT NULL,
    phone_hash bytea NOT NULL,
    device_id  bigint NOT NULL,
    in_row     bigint NOT NULL,
    wrong      bigint NOT NULL,
    today      bigint NOT NULL,
    day_began  timestamptz NOT NULL,
    next_at    timestamptz NOT NULL,
    wrong_at   timestamptz NOT NULL,
    PRIMARY KEY (site, phone_hash, device_id)
);
CREATE INDEX login_budget_wrong_at ON login_budget (wrong_at);

-- Codes by the hour in which they were asked for: of a site as a whole (scope empty), of a
-- country and of a range of numbers. checked counts codes of which one was entered, wrong
-- those where only wrong ones were.
CREATE TABLE login_traffic (
    site    text NOT NULL,
    scope   text NOT NULL,
    hour    timestamptz NOT NULL,
    sent    bigint NOT NULL,
    passed  bigint NOT NULL,
    checked bigint NOT NULL,
    wrong   bigint NOT NULL,
    PRIMARY KEY (site, scope, hour)
);
CREATE INDEX login_traffic_hour ON login_traffic (hour);
