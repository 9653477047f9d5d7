-- name: InsertStaffAccount :execrows
INSERT INTO staff_account (login, name, role, site, shops, invitation_hash, invitation_until, created_at)
VALUES (@login, @name, @role, @site, @shops, @invitation_hash, @invitation_until, @now)
ON CONFLICT (login) WHERE removed_at IS NULL DO NOTHING;

-- name: FindStaffAccount :one
SELECT * FROM staff_account WHERE login = @login AND removed_at IS NULL;

-- name: GetStaffAccount :one
SELECT * FROM staff_account WHERE id = @id AND removed_at IS NULL;

-- name: FindInvitedStaff :one
SELECT * FROM staff_account WHERE invitation_hash = @hash AND invitation_until > @now AND removed_at IS NULL;

-- name: ListStaffAccounts :many
SELECT * FROM staff_account WHERE removed_at IS NULL ORDER BY login;

-- name: InviteStaff :execrows
UPDATE staff_account SET invitation_hash = @hash, invitation_until = @until, new_totp = ''
WHERE login = @login AND removed_at IS NULL;

-- name: OfferStaffTOTP :exec
-- The secret that was offered last counts.
UPDATE staff_account SET new_totp = @secret WHERE id = @id AND invitation_hash = @hash;

-- name: AcceptStaffInvitation :execrows
-- Of two who accept it at once one gets the row.
UPDATE staff_account
SET password = @password, totp_secret = new_totp, totp_step = @step, recovery = @recovery, new_totp = '', invitation_hash = NULL, invitation_until = NULL
WHERE id = @id AND invitation_hash = @hash AND removed_at IS NULL;

-- name: UseStaffCode :execrows
-- A code is used once.
UPDATE staff_account SET totp_step = @step WHERE id = @id AND totp_step < @step AND removed_at IS NULL;

-- name: UseStaffRecovery :execrows
UPDATE staff_account SET recovery = @became WHERE id = @id AND recovery = @was AND removed_at IS NULL;

-- name: RemoveStaffAccount :execrows
UPDATE staff_account SET removed_at = @now, password = '', totp_secret = '', new_totp = '', recovery = '', pin = '', invitation_hash = NULL, invitation_until = NULL
WHERE id = @id AND removed_at IS NULL;

-- name: DeleteOldStaffAccounts :exec
DELETE FROM staff_account WHERE removed_at < @before;

-- name: InsertStaffSession :one
INSERT INTO staff_session (hash, account_id, browser, created_at, seen_at, expires_at)
VALUES (@hash, @account_id, @browser, @now, @now, @expires_at)
RETURNING id;

-- name: FindStaffSession :one
SELECT s.id, s.seen_at, s.expires_at, a.id AS account_id, a.login, a.name, a.role, a.site, a.shops
FROM staff_session s
JOIN staff_account a ON a.id = s.account_id
WHERE s.hash = @hash AND a.removed_at IS NULL;

-- name: GetStaffSession :one
SELECT s.id, s.seen_at, s.expires_at FROM staff_session s JOIN staff_account a ON a.id = s.account_id
WHERE s.id = @id AND s.account_id = @account_id AND a.removed_at IS NULL;

-- name: ListStaffSessions :many
SELECT id, browser, created_at, seen_at, expires_at FROM staff_session WHERE account_id = @account_id ORDER BY id DESC;

-- name: SetStaffSessionSeen :exec
UPDATE staff_session SET seen_at = @now WHERE id = @id;

-- name: DeleteStaffSession :execrows
DELETE FROM staff_session WHERE id = @id AND account_id = @account_id;

-- name: DeleteStaffSessions :execrows
DELETE FROM staff_session WHERE account_id = @account_id;

-- name: DeleteOldStaffSessions :exec
DELETE FROM staff_session WHERE expires_at < @now OR seen_at < @idle_since;

-- name: CountStaffFailure :one
-- Counts one more, and begins again at 1 when the count is over.
INSERT INTO staff_failure (key, count, since) VALUES (@key, 1, @now)
ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN staff_failure.since <= @over THEN 1 ELSE staff_failure.count + 1 END,
    since = CASE WHEN staff_failure.since <= @over THEN @now ELSE staff_failure.since END
RETURNING count, since;

-- name: UncountStaffFailure :exec
UPDATE staff_failure SET count = count - 1 WHERE key = @key AND count > 0;

-- name: DeleteOldStaffFailures :exec
DELETE FROM staff_failure WHERE since < @before;
