-- name: InsertUndeliveredPlace :exec
-- The same wish left twice is kept once.
INSERT INTO undelivered_place (site, city_id, latitude, longitude, phone, language, created_at)
VALUES (@site, @city_id, @latitude, @longitude, @phone, @language, @now)
ON CONFLICT (site, city_id, phone, latitude, longitude) DO NOTHING;

-- name: DeleteUndeliveredPlaces :exec
DELETE FROM undelivered_place WHERE site = @site AND phone = @phone;

-- name: ListUndeliveredPlaces :many
SELECT city_id, latitude, longitude, language, created_at FROM undelivered_place
WHERE site = @site AND phone = @phone
ORDER BY created_at, id;

-- name: PageUndeliveredPlaces :many
SELECT id, site, city_id, latitude, longitude, phone, language FROM undelivered_place
WHERE id > @after
ORDER BY id
LIMIT 500;

-- name: TakeUndeliveredPlace :execrows
DELETE FROM undelivered_place WHERE id = @id;

-- name: CountUndeliveredPlaces :one
SELECT COUNT(*) FROM undelivered_place WHERE site = @site AND phone = @phone;

-- name: FindDeliveryNotice :one
SELECT id FROM delivery_notice WHERE site = @site AND phone = @phone AND city_id = @city_id LIMIT 1;

-- name: InsertDeliveryNotice :one
INSERT INTO delivery_notice (site, city_id, phone, language, attempts, due_at, created_at)
VALUES (@site, @city_id, @phone, @language, 0, @due_at, @now)
RETURNING id;

-- name: LeaseDeliveryNotice :one
-- Leases a due notice to the caller.
UPDATE delivery_notice SET attempts = attempts + 1, due_at = @lease_until
WHERE id = @id AND due_at <= @now
RETURNING id, site, city_id, phone, language, attempts;

-- name: PostponeDeliveryNotice :exec
UPDATE delivery_notice SET due_at = @due_at WHERE id = @id;

-- name: DeleteDeliveryNotice :exec
DELETE FROM delivery_notice WHERE id = @id;

-- name: DeleteDeliveryNotices :exec
DELETE FROM delivery_notice WHERE site = @site AND phone = @phone;

-- name: ListDueDeliveryNotices :many
SELECT id FROM delivery_notice WHERE due_at <= @now ORDER BY due_at LIMIT 50;

-- name: DeleteOldDeliveryNotices :execrows
DELETE FROM delivery_notice WHERE id IN (
    SELECT d.id FROM delivery_notice d WHERE d.created_at < @before LIMIT 500
);

-- name: InsertFeedbackForm :one
INSERT INTO feedback_form (site, kind, city_id, customer_id, session_id, idempotency_key, content_hash,
    name, phone, fields, language, agreement, state, attempts, due_at, created_at)
VALUES (@site, @kind, @city_id, @customer_id, @session_id, @idempotency_key, @content_hash,
    @name, @phone, @fields, @language, @agreement, @state, 0, @now, @now)
RETURNING id;

-- name: HasFeedbackKey :one
SELECT COUNT(*) FROM feedback_form
WHERE session_id = @session_id AND idempotency_key = @idempotency_key AND idempotency_key <> '';

-- name: CountFeedbackOfSession :one
SELECT COUNT(*) FROM feedback_form WHERE session_id = @session_id AND created_at > @after;

-- name: ListFeedbackHashes :many
-- What a phone has sent since the instant.
SELECT content_hash FROM feedback_form WHERE site = @site AND phone = @phone AND created_at > @after;

-- name: PageFeedbackForms :many
-- One page before an id, of one site and kind, or of all where those are empty.
SELECT id, site, kind, city_id, customer_id, name, phone, fields, language, state, created_at FROM feedback_form
WHERE id < @before AND (CAST(@site AS text) = '' OR site = @site) AND (CAST(@kind AS text) = '' OR kind = @kind)
ORDER BY id DESC
LIMIT @most;

-- name: ListFeedbackOfPhone :many
SELECT id, kind, name, fields, created_at FROM feedback_form
WHERE site = @site AND phone = @phone
ORDER BY created_at, id;

-- name: ListFeedbackOfCustomer :many
SELECT id, kind, name, fields, created_at FROM feedback_form
WHERE customer_id = @customer_id AND customer_id <> 0 AND phone <> @phone
ORDER BY id;

-- name: DeleteFeedbackOfPhone :exec
DELETE FROM feedback_form WHERE site = @site AND phone = @phone;

-- name: DeleteFeedbackOfCustomer :exec
DELETE FROM feedback_form WHERE customer_id = @customer_id AND customer_id <> 0;

-- name: LeaseFeedbackForm :one
-- Leases a due form to the caller.
UPDATE feedback_form SET attempts = attempts + 1, due_at = @lease_until
WHERE id = @id AND state = 'waiting' AND due_at <= @now
RETURNING id, site, kind, city_id, customer_id, name, phone, fields, language, attempts, created_at;

-- name: FinishFeedbackForm :exec
UPDATE feedback_form SET state = @state WHERE id = @id;

-- name: PostponeFeedbackForm :exec
UPDATE feedback_form SET due_at = @due_at WHERE id = @id AND state = 'waiting';

-- name: ListDueFeedbackForms :many
SELECT id FROM feedback_form WHERE state = 'waiting' AND due_at <= @now ORDER BY due_at LIMIT 50;

-- name: DeleteOldFeedbackForms :execrows
DELETE FROM feedback_form WHERE id IN (
    SELECT d.id FROM feedback_form d WHERE d.created_at < @before LIMIT 500
);
