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

-- name: SetStaffPIN :execrows
UPDATE staff_account SET pin = @pin, pin_failures = 0 WHERE id = @id AND removed_at IS NULL;

-- name: CountWrongPIN :one
-- Counts a PIN as wrong before it is compared. At the bound the PIN goes.
UPDATE staff_account SET pin_failures = pin_failures + 1, pin = CASE WHEN pin_failures + 1 > @most THEN '' ELSE pin END
WHERE id = @id AND removed_at IS NULL
RETURNING pin;

-- name: ResetWrongPINs :exec
UPDATE staff_account SET pin_failures = 0 WHERE id = @id;

-- name: ListStaffWithPIN :many
SELECT * FROM staff_account WHERE pin <> '' AND removed_at IS NULL ORDER BY name, id;

-- name: InsertStaffDevice :one
INSERT INTO staff_device (name, site, shop_id, code_hash, code_until, created_by, created_at)
VALUES (@name, @site, @shop_id, @code_hash, @code_until, @created_by, @now)
RETURNING id;

-- name: EnrolStaffDevice :one
-- Of two with the same code one gets the row.
UPDATE staff_device SET hash = @hash, code_hash = NULL, enrolled_at = @now, seen_at = @now
WHERE code_hash = @code_hash AND code_until > @until AND ended_at IS NULL
RETURNING id, name, site, shop_id, created_by;

-- name: FindStaffDevice :one
SELECT d.id, d.name, d.site, d.shop_id, d.seen_at, d.person_until, CAST(COALESCE(a.id, 0) AS bigint) AS person_id, CAST(COALESCE(a.name, '') AS text) AS person, CAST(COALESCE(a.role, '') AS text) AS role,
    CAST(COALESCE(a.site, '') AS text) AS person_site, CAST(COALESCE(a.shops, '') AS text) AS person_shops
FROM staff_device d
LEFT JOIN staff_account a ON a.id = d.person_id AND a.removed_at IS NULL
WHERE d.hash = @hash AND d.ended_at IS NULL;

-- name: CountStaffDevice :one
SELECT COUNT(*) FROM staff_device WHERE id = @id AND ended_at IS NULL AND hash IS NOT NULL;

-- name: GetStaffDevice :one
SELECT id, name, site, shop_id FROM staff_device WHERE id = @id AND ended_at IS NULL;

-- name: ListStaffDevices :many
SELECT d.id, d.name, d.site, d.shop_id, d.code_until, d.created_by, d.created_at, d.enrolled_at, d.seen_at, d.person_until, CAST(COALESCE(a.name, '') AS text) AS person
FROM staff_device d
LEFT JOIN staff_account a ON a.id = d.person_id AND a.removed_at IS NULL
WHERE d.ended_at IS NULL AND (CAST(@site AS text) = '' OR d.site = @site)
    AND (CAST(@shops AS text) = '' OR CAST(@shops AS text) LIKE '% ' || CAST(d.shop_id AS text) || ' %')
ORDER BY d.id DESC;

-- name: SetStaffDeviceSeen :exec
UPDATE staff_device SET seen_at = @now WHERE id = @id;

-- name: SetStaffDevicePerson :execrows
UPDATE staff_device SET person_id = @person_id, person_until = @until WHERE id = @id AND ended_at IS NULL;

-- name: EndStaffShifts :execrows
UPDATE staff_device SET person_id = 0, person_until = NULL WHERE person_id = @account_id AND person_until > @now;

-- name: EndStaffDevice :execrows
UPDATE staff_device SET ended_at = @now, code_hash = NULL, hash = NULL, person_id = 0, person_until = NULL WHERE id = @id AND ended_at IS NULL;

-- name: DeleteOldStaffDevices :exec
-- Those that have ended, and those that were never enrolled.
DELETE FROM staff_device WHERE ended_at < @before OR (enrolled_at IS NULL AND code_until < @code_before);

-- name: InsertStaffChallenge :exec
-- In place of an earlier one of the account.
INSERT INTO staff_challenge (hash, account_id, data, expires_at) VALUES (@hash, @account_id, @data, @expires_at)
ON CONFLICT (account_id) WHERE account_id <> 0
DO UPDATE SET hash = excluded.hash, data = excluded.data, expires_at = excluded.expires_at;

-- name: TakeStaffChallenge :one
-- Of two with the same secret one gets the row.
DELETE FROM staff_challenge WHERE hash = @hash AND account_id = @account_id AND expires_at > @now RETURNING data;

-- name: DeleteStaffChallenges :exec
DELETE FROM staff_challenge WHERE account_id = @account_id;

-- name: DeleteOldStaffChallenges :exec
DELETE FROM staff_challenge WHERE expires_at <= @now;

-- name: InsertStaffPasskey :execrows
INSERT INTO staff_passkey (account_id, credential_id, credential, name, created_at)
VALUES (@account_id, @credential_id, @credential, @name, @now)
ON CONFLICT (credential_id) DO NOTHING;

-- name: ListStaffPasskeys :many
SELECT id, credential, name, created_at, used_at FROM staff_passkey WHERE account_id = @account_id ORDER BY id DESC;

-- name: UseStaffPasskey :execrows
UPDATE staff_passkey SET credential = @credential, used_at = @now WHERE credential_id = @credential_id;

-- name: DeleteStaffPasskey :execrows
DELETE FROM staff_passkey WHERE id = @id AND account_id = @account_id;

-- name: DeleteStaffPasskeys :exec
DELETE FROM staff_passkey WHERE account_id = @account_id;
