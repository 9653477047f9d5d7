-- name: InsertSecret :exec
-- The one that is there already stays: of processes that start at once the first makes it.
INSERT INTO secret (name, value, created_at) VALUES (@name, @value, @now) ON CONFLICT (name) DO NOTHING;

-- name: SetSecret :exec
INSERT INTO secret (name, value, created_at) VALUES (@name, @value, @now)
ON CONFLICT (name) DO UPDATE SET value = excluded.value, created_at = excluded.created_at;

-- name: GetSecret :one
SELECT value FROM secret WHERE name = @name;

-- name: InsertLoginChallenge :one
INSERT INTO login_challenge (site, session_id, phone, name, channel, lang, host, device_id, address, network, captcha_passed,
    salt, code_length, code_hash, state, sender, ref, tries, created_at, expires_at)
VALUES (@site, @session_id, @phone, @name, @channel, @lang, @host, @device_id, sqlc.narg(address), sqlc.narg(network), @captcha_passed,
    @salt, @code_length, @code_hash, @state, '', '', 0, @now, @expires_at)
RETURNING id;

-- name: LastLoginChallenge :one
SELECT id, site, session_id, phone, name, channel, lang, host, device_id, address, captcha_passed, salt, code_length, code_hash,
    state, sender, ref, tries, created_at, expires_at, used_at
FROM login_challenge WHERE session_id = @session_id AND site = @site
ORDER BY id DESC LIMIT 1;

-- name: ListLoginSends :many
-- Those of a phone and budget, the newest first. What was withheld counts for the browser
-- that asked for it alone, which must see no difference.
SELECT state, created_at FROM login_challenge
WHERE site = @site AND phone = @phone AND created_at > @after AND device_id = @device_id
    AND (state <> 'withheld' OR session_id = @session_id)
ORDER BY created_at DESC LIMIT 20;

-- name: CountLoginAddress :one
SELECT CAST(COALESCE(sum(CASE WHEN state <> 'withheld' THEN 1 ELSE 0 END), 0) AS bigint) AS sent,
    CAST(COALESCE(sum(CASE WHEN state = 'withheld' THEN 1 ELSE 0 END), 0) AS bigint) AS withheld
FROM login_challenge WHERE address = @address AND created_at > @after;

-- name: CountLoginNetwork :one
SELECT CAST(COALESCE(sum(CASE WHEN state <> 'withheld' THEN 1 ELSE 0 END), 0) AS bigint) AS sent,
    CAST(COALESCE(sum(CASE WHEN state = 'withheld' THEN 1 ELSE 0 END), 0) AS bigint) AS withheld
FROM login_challenge WHERE network = @network AND created_at > @after;

-- name: FindLoginAddressSend :one
-- The newest of an address that was not withheld, after skipping so many.
SELECT created_at FROM login_challenge
WHERE address = @address AND created_at > @after AND state <> 'withheld'
ORDER BY created_at DESC LIMIT 1 OFFSET CAST(@skip AS bigint);

-- name: FindLoginNetworkSend :one
-- The newest of a network that was not withheld, after skipping so many.
SELECT created_at FROM login_challenge
WHERE network = @network AND created_at > @after AND state <> 'withheld'
ORDER BY created_at DESC LIMIT 1 OFFSET CAST(@skip AS bigint);

-- name: ClaimLoginSend :one
-- Of jobs for the same code only the first gets the row.
UPDATE login_challenge SET claimed_at = @now
WHERE id = @id AND state = 'sending' AND claimed_at IS NULL AND created_at > @after
RETURNING id, site, session_id, phone, name, channel, lang, host, device_id, address, captcha_passed, salt, code_length, code_hash,
    state, sender, ref, tries, created_at, expires_at, used_at;

-- name: FinishLoginSend :exec
UPDATE login_challenge SET state = @state, sender = @sender, ref = @ref, code_length = @code_length, code_hash = @code_hash
WHERE id = @id;

-- name: TakeLoginTry :one
-- Of any number of tries at once exactly so many get a row as are left.
UPDATE login_challenge SET tries = tries + 1
WHERE id = @id AND used_at IS NULL AND expires_at > @now AND tries < @most
RETURNING tries;

-- name: GiveBackLoginTry :exec
UPDATE login_challenge SET tries = tries - 1 WHERE id = @id AND tries > 0;

-- name: UseLoginChallenge :execrows
UPDATE login_challenge SET used_at = @now WHERE id = @id AND used_at IS NULL;

-- name: DeleteOldLoginChallenges :execrows
DELETE FROM login_challenge WHERE id IN (
    SELECT d.id FROM login_challenge d WHERE d.created_at <= @before LIMIT 500
);

-- name: DeleteLoginChallengesOfPhone :exec
DELETE FROM login_challenge WHERE site = @site AND phone = @phone;

-- name: LockLoginBudget :one
-- Makes the row when there is none, and keeps it from all others until the transaction ends.
INSERT INTO login_budget (site, phone_hash, device_id, in_row, wrong, today, day_began, next_at, wrong_at)
VALUES (@site, @phone_hash, @device_id, 0, 0, 0, @now, @now, @now)
ON CONFLICT (site, phone_hash, device_id) DO UPDATE SET in_row = login_budget.in_row
RETURNING in_row, wrong, today, day_began, next_at, wrong_at;

-- name: FindLoginBudget :one
SELECT in_row, wrong, today, day_began, next_at, wrong_at FROM login_budget
WHERE site = @site AND phone_hash = @phone_hash AND device_id = @device_id;

-- name: SaveLoginBudget :exec
UPDATE login_budget SET in_row = @in_row, wrong = @wrong, today = @today, day_began = @day_began, next_at = @next_at, wrong_at = @wrong_at
WHERE site = @site AND phone_hash = @phone_hash AND device_id = @device_id;

-- name: DeleteOldLoginBudgets :execrows
DELETE FROM login_budget WHERE (site, phone_hash, device_id) IN (
    SELECT d.site, d.phone_hash, d.device_id FROM login_budget d WHERE d.wrong_at <= @before LIMIT 500
);

-- name: DeleteLoginBudgetsOfPhone :exec
DELETE FROM login_budget WHERE site = @site AND phone_hash = @phone_hash;

-- name: FindLoginDevice :one
SELECT id FROM login_device WHERE site = @site AND phone_hash = @phone_hash AND token_hash = @token_hash AND seen_at > @after;

-- name: HasLoginDevice :one
SELECT EXISTS (SELECT 1 FROM login_device WHERE site = @site AND token_hash = @token_hash);

-- name: KeepLoginDevice :exec
INSERT INTO login_device (site, phone_hash, token_hash, seen_at) VALUES (@site, @phone_hash, @token_hash, @now)
ON CONFLICT (site, token_hash, phone_hash) DO UPDATE SET seen_at = excluded.seen_at;

-- name: DeleteOldLoginDevices :execrows
DELETE FROM login_device WHERE id IN (
    SELECT d.id FROM login_device d WHERE d.seen_at <= @before LIMIT 500
);

-- name: DeleteLoginDevicesOfPhone :exec
DELETE FROM login_device WHERE site = @site AND phone_hash = @phone_hash;

-- name: AddLoginTraffic :exec
-- Adding nothing keeps the row from all others until the transaction ends.
INSERT INTO login_traffic (site, scope, hour, sent, passed, checked, wrong)
VALUES (@site, @scope, @hour, @sent, @passed, @checked, @wrong)
ON CONFLICT (site, scope, hour) DO UPDATE SET sent = login_traffic.sent + excluded.sent,
    passed = login_traffic.passed + excluded.passed, checked = login_traffic.checked + excluded.checked,
    wrong = login_traffic.wrong + excluded.wrong;

-- name: DeleteEmptyLoginTraffic :exec
DELETE FROM login_traffic
WHERE site = @site AND scope = @scope AND hour = @hour AND sent = 0 AND passed = 0 AND checked = 0 AND wrong = 0;

-- name: SumLoginTraffic :one
-- Of the hours from since on: the present hour, the day, the hours from recent on, and all
-- those before recent.
SELECT
    CAST(COALESCE(sum(CASE WHEN hour >= @present THEN sent ELSE 0 END), 0) AS bigint) AS hour_sent,
    CAST(COALESCE(sum(CASE WHEN hour >= @day THEN sent ELSE 0 END), 0) AS bigint) AS day_sent,
    CAST(COALESCE(sum(CASE WHEN hour >= @day THEN passed ELSE 0 END), 0) AS bigint) AS day_passed,
    CAST(COALESCE(sum(CASE WHEN hour >= @recent THEN checked ELSE 0 END), 0) AS bigint) AS checked,
    CAST(COALESCE(sum(CASE WHEN hour >= @recent THEN wrong ELSE 0 END), 0) AS bigint) AS wrong,
    CAST(COALESCE(sum(CASE WHEN hour < @recent THEN sent ELSE 0 END), 0) AS bigint) AS before_sent,
    CAST(COALESCE(sum(CASE WHEN hour < @recent THEN checked ELSE 0 END), 0) AS bigint) AS before_checked,
    CAST(COALESCE(sum(CASE WHEN hour < @recent THEN wrong ELSE 0 END), 0) AS bigint) AS before_wrong,
    CAST(COALESCE(sum(CASE WHEN hour < @recent THEN 1 ELSE 0 END), 0) AS bigint) AS hours
FROM login_traffic WHERE site = @site AND scope = @scope AND hour >= @since;

-- name: DeleteOldLoginTraffic :execrows
DELETE FROM login_traffic WHERE (site, scope, hour) IN (
    SELECT d.site, d.scope, d.hour FROM login_traffic d WHERE d.hour < @before LIMIT 500
);
