-- +goose Up

-- The newest keys of a session, which alone are kept.
CREATE INDEX idempotency_session_id ON idempotency (session_id, created_at, key);

-- is_kept says that the session has an order or a saved address, and is to live on although
-- it was not used for long. It is set when that is first asked; the index has those that are
-- to be asked about.
ALTER TABLE session ADD COLUMN is_kept boolean NOT NULL DEFAULT FALSE;
CREATE INDEX session_idle ON session (seen_at) WHERE customer_id IS NULL AND NOT is_kept;
