-- name: BonusBalance :one
SELECT CAST(balance AS bigint) AS balance FROM bonus_account
WHERE customer_id = CAST(@customer_id AS bigint) AND currency = @currency;

-- name: OpenBonusAccount :exec
-- An account that is there already stays.
INSERT INTO bonus_account (site, currency, kind, customer_id, balance)
SELECT c.site, CAST(@currency AS text), 'customer', c.id, 0 FROM customer c WHERE c.id = @customer_id
ON CONFLICT (customer_id, currency) DO NOTHING;

-- name: LockBonusAccount :one
-- From here to the end of the transaction nobody else moves the customer's bonuses.
UPDATE bonus_account SET balance = balance
WHERE customer_id = CAST(@customer_id AS bigint) AND currency = @currency
RETURNING id, site, CAST(balance AS bigint) AS balance;

-- name: AddToBonusBalance :exec
UPDATE bonus_account SET balance = balance + CAST(@amount AS bigint) WHERE id = @id;

-- name: FindBonusAccountOfSite :one
-- The last condition lets an engine find the brand's few accounts among all customers'.
SELECT id FROM bonus_account WHERE site = @site AND currency = @currency AND kind = @kind AND kind <> 'customer';

-- name: OpenBonusAccountOfSite :exec
INSERT INTO bonus_account (site, currency, kind) VALUES (@site, @currency, @kind)
ON CONFLICT (site, currency, kind) WHERE kind <> 'customer' DO NOTHING;

-- name: InsertBonusPosting :execrows
-- No row is inserted when the key was used before.
INSERT INTO bonus_posting (key, created_at) VALUES (@key, @now)
ON CONFLICT (key) DO NOTHING;

-- name: InsertBonusEntries :exec
-- Both entries of a posting: what leaves one account comes to the other.
INSERT INTO bonus_entry (posting_id, account_id, amount)
SELECT p.id, a.id, CASE WHEN a.id = @to_account THEN CAST(@amount AS bigint) ELSE -CAST(@amount AS bigint) END
FROM bonus_posting p, bonus_account a
WHERE p.key = @key AND a.id IN (CAST(@from_account AS bigint), CAST(@to_account AS bigint));

-- name: FindBonusPosting :one
-- The customer's side of a posting; customer_id is 0 for one that has none.
SELECT CAST(COALESCE(a.customer_id, 0) AS bigint) AS customer_id,
       CAST(CASE WHEN a.customer_id IS NULL THEN '' ELSE a.currency END AS text) AS currency,
       CAST(CASE WHEN a.customer_id IS NULL THEN 0 ELSE e.amount END AS bigint) AS amount
FROM bonus_posting p
LEFT JOIN bonus_entry e ON e.posting_id = p.id
LEFT JOIN bonus_account a ON a.id = e.account_id
WHERE p.key = @key
ORDER BY CASE WHEN a.customer_id IS NULL THEN 1 ELSE 0 END
LIMIT 1;

-- name: ListBonusAccounts :many
SELECT id, currency, CAST(balance AS bigint) AS balance FROM bonus_account
WHERE customer_id = CAST(@customer_id AS bigint)
ORDER BY currency;

-- name: ListBonusEntries :many
-- The newest first.
SELECT p.key, p.created_at, e.amount
FROM bonus_entry e
JOIN bonus_posting p ON p.id = e.posting_id
WHERE e.account_id = @account_id
ORDER BY e.posting_id DESC
LIMIT @max_count;
