-- name: InsertSandboxPayment :execrows
INSERT INTO sandbox_payment (ref, site, id, asked, method, amount, currency, description, language, return_url, fail_url,
    callback_url, term_url, state, step, outcome, reason, card, trans_id, reserved, refunded, deadline, due_at, created_at, version)
VALUES (@ref, @site, @id, @asked, @method, @amount, @currency, @description, @language, @return_url, @fail_url,
    @callback_url, @term_url, @state, @step, @outcome, @reason, @card, @trans_id, 0, 0, @deadline, sqlc.narg(due_at), @created_at, 1)
ON CONFLICT (site, id) DO NOTHING;

-- name: GetSandboxPayment :one
SELECT * FROM sandbox_payment WHERE ref = @ref;

-- name: GetSandboxPaymentByID :one
SELECT * FROM sandbox_payment WHERE site = @site AND id = @id;

-- name: GetSandboxPaymentByTrans :one
SELECT * FROM sandbox_payment WHERE trans_id = @trans_id AND trans_id <> '';

-- name: UpdateSandboxPayment :execrows
UPDATE sandbox_payment
SET asked = @asked, method = @method, amount = @amount, currency = @currency, description = @description, language = @language,
    return_url = @return_url, fail_url = @fail_url, callback_url = @callback_url, term_url = @term_url,
    state = @state, step = @step, outcome = @outcome, reason = @reason, card = @card, trans_id = @trans_id,
    reserved = @reserved, refunded = @refunded, deadline = @deadline, due_at = sqlc.narg(due_at), version = version + 1
WHERE ref = @ref AND version = @version;

-- name: ListSandboxPayments :many
SELECT * FROM sandbox_payment ORDER BY created_at DESC LIMIT CAST(@most AS bigint);

-- name: ListDueSandboxPayments :many
SELECT ref FROM sandbox_payment WHERE due_at <= @now ORDER BY due_at LIMIT CAST(@most AS bigint);

-- name: InsertSandboxRefund :execrows
INSERT INTO sandbox_refund (site, id, ref, amount, state, due_at, created_at)
VALUES (@site, @id, @ref, @amount, @state, sqlc.narg(due_at), @created_at)
ON CONFLICT (site, id) DO NOTHING;

-- name: GetSandboxRefund :one
SELECT * FROM sandbox_refund WHERE site = @site AND id = @id;

-- name: ListDueSandboxRefunds :many
SELECT * FROM sandbox_refund WHERE due_at <= @now ORDER BY due_at LIMIT CAST(@most AS bigint);

-- name: FinishSandboxRefund :execrows
UPDATE sandbox_refund SET state = 'done', due_at = NULL WHERE site = @site AND id = @id AND due_at IS NOT NULL;

-- name: InsertSandboxCallback :exec
INSERT INTO sandbox_callback (ref, site, url, body, tries, status, next_at, created_at)
VALUES (@ref, @site, @url, @body, 0, 0, @next_at, @now);

-- name: ListDueSandboxCallbacks :many
SELECT * FROM sandbox_callback WHERE next_at <= @now ORDER BY next_at LIMIT CAST(@most AS bigint);

-- name: ListSandboxCallbacks :many
SELECT * FROM sandbox_callback WHERE ref = @ref ORDER BY id;

-- name: TakeSandboxCallback :execrows
-- Of several processes the first one delivers; until is when another may try again.
UPDATE sandbox_callback SET tries = tries + 1, next_at = @until WHERE id = @id AND tries = @tries AND next_at IS NOT NULL;

-- name: PutBackSandboxCallback :exec
-- Without a next_at it is over.
UPDATE sandbox_callback SET status = @status, next_at = sqlc.narg(next_at) WHERE id = @id AND tries = @tries;

-- name: SetSandboxFault :exec
INSERT INTO sandbox_fault (site, call, kind, left_over) VALUES (@site, @call, @kind, @left_over)
ON CONFLICT (site, call) DO UPDATE SET kind = excluded.kind, left_over = excluded.left_over;

-- name: GetSandboxFault :one
-- Those of every brand have no site.
SELECT site, kind FROM sandbox_fault WHERE site IN (@site, '') AND call = @call AND left_over > 0 ORDER BY site DESC LIMIT 1;

-- name: TakeSandboxFault :execrows
UPDATE sandbox_fault SET left_over = left_over - 1 WHERE site = @site AND call = @call AND kind = @kind AND left_over > 0;

-- name: ListSandboxFaults :many
SELECT site, call, kind, left_over FROM sandbox_fault WHERE left_over > 0 ORDER BY site, call;

-- name: InsertSandboxReceipt :execrows
INSERT INTO sandbox_receipt (site, id, ref, kind, mode, amount, items, registered_at, created_at)
VALUES (@site, @id, @ref, @kind, @mode, @amount, @items, @registered_at, @now)
ON CONFLICT (site, id) DO NOTHING;

-- name: ListSandboxReceipts :many
-- Those of a payment, the first one first.
SELECT * FROM sandbox_receipt WHERE ref = @ref ORDER BY created_at, id;
