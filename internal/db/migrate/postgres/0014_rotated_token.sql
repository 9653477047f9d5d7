-- +goose Up

-- The token that a sign-in took away, and when: a call that was under way with it must not
-- begin another visit over the customer's.
ALTER TABLE session ADD COLUMN former_token_hash bytea;
ALTER TABLE session ADD COLUMN rotated_at timestamptz;
CREATE INDEX session_former_token_hash ON session (former_token_hash);
