-- +goose Up

-- A code that was asked for bounds what is sent to its phone and by its address for a day.
-- It must not go with its session, which anyone who asks can end.
ALTER TABLE login_challenge DROP CONSTRAINT login_challenge_session_id_fkey;
