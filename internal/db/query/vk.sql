-- name: BeginVkSignIn :exec
-- The one that the browser began before is over.
INSERT INTO vk_sign_in (session_id, state_hash, verifier, redirect, expires_at)
VALUES (@session_id, @state_hash, @verifier, @redirect, @expires_at)
ON CONFLICT (session_id) DO UPDATE SET state_hash = excluded.state_hash, verifier = excluded.verifier,
    redirect = excluded.redirect, expires_at = excluded.expires_at;

-- name: UseVkSignIn :one
-- No row when there is none, another one, one that is used or one that is too old.
DELETE FROM vk_sign_in
WHERE session_id = @session_id AND state_hash = @state_hash AND expires_at > @now
RETURNING verifier, redirect;

-- name: KeepVkPending :exec
INSERT INTO vk_pending (session_id, site, vk_user_id, expires_at)
VALUES (@session_id, @site, @vk_user_id, @expires_at)
ON CONFLICT (session_id) DO UPDATE SET site = excluded.site, vk_user_id = excluded.vk_user_id, expires_at = excluded.expires_at;

-- name: UseVkPending :one
DELETE FROM vk_pending WHERE session_id = @session_id AND expires_at > @now
RETURNING site, vk_user_id;

-- name: DropVkPending :exec
DELETE FROM vk_pending WHERE session_id = @session_id;

-- name: FindVkCustomer :one
SELECT a.customer_id FROM vk_account a JOIN customer c ON c.id = a.customer_id
WHERE a.site = @site AND a.vk_user_id = @vk_user_id AND c.erased_at IS NULL;

-- name: JoinVkAccount :exec
-- Who proved a phone last has the account.
INSERT INTO vk_account (site, vk_user_id, customer_id, created_at)
VALUES (@site, @vk_user_id, @customer_id, @now)
ON CONFLICT (site, vk_user_id) DO UPDATE SET customer_id = excluded.customer_id, created_at = excluded.created_at;

-- name: DeleteVkAccounts :exec
DELETE FROM vk_account WHERE customer_id = @customer_id;

-- name: DeleteExpiredVkSignIns :execrows
DELETE FROM vk_sign_in WHERE session_id IN (
    SELECT d.session_id FROM vk_sign_in d WHERE d.expires_at <= @now LIMIT 500
);

-- name: DeleteExpiredVkPending :execrows
DELETE FROM vk_pending WHERE session_id IN (
    SELECT d.session_id FROM vk_pending d WHERE d.expires_at <= @now LIMIT 500
);

-- name: ListVkAccounts :many
SELECT vk_user_id, created_at FROM vk_account
WHERE customer_id = @customer_id AND site = @site
ORDER BY created_at, vk_user_id;
