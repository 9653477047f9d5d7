-- name: InsertAuditEntry :exec
INSERT INTO audit_log (at, kind, name, person, call, site, shop_id, subject, subject_id, was, became)
VALUES (@now, @kind, @name, @person, @call, @site, @shop_id, @subject, @subject_id, @was, @became);

-- name: PageAuditLog :many
-- One page before an id; a text that is empty does not count. shops are ids with a space before and behind
-- each.
SELECT id, at, kind, name, person, call, site, shop_id, subject, subject_id, was, became FROM audit_log
WHERE id < @before AND at >= @since AND at < @until
    AND (CAST(@site AS text) = '' OR site = @site)
    AND (CAST(@shops AS text) = '' OR CAST(@shops AS text) LIKE '% ' || CAST(shop_id AS text) || ' %')
    AND (CAST(@subject AS text) = '' OR subject = @subject)
    AND (CAST(@subject_id AS text) = '' OR subject_id = @subject_id)
    AND (CAST(@who AS text) = '' OR name = @who OR person = @who)
ORDER BY id DESC
LIMIT @most;

-- name: DeleteOldAuditEntries :exec
DELETE FROM audit_log WHERE at < @before;
