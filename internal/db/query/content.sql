-- name: NewestRevision :one
SELECT id, hash, format, source FROM revision ORDER BY id DESC LIMIT 1;

-- name: GetRevision :one
SELECT hash, format, source, brands, body, created_at FROM revision WHERE id = @id;

-- name: ListRevisions :many
SELECT id, hash, format, source, brands, copy_of, created_at FROM revision
WHERE id > (SELECT MAX(id) FROM revision) - CAST(@kept AS bigint)
ORDER BY id DESC;

-- name: ListOldRevisions :many
-- The oldest of those that are not among the kept newest ones.
SELECT id FROM revision
WHERE id <= (SELECT MAX(id) FROM revision) - CAST(@kept AS bigint)
ORDER BY id LIMIT @count;

-- name: LockRevisions :exec
-- Waits for other transactions that change revisions and pictures.
UPDATE revision_lock SET id = id WHERE id = 1;

-- name: InsertRevision :exec
INSERT INTO revision (id, hash, format, source, brands, copy_of, body, created_at)
VALUES (@id, @hash, @format, @source, @brands, @copy_of, @body, @now);

-- name: DeleteRevision :exec
DELETE FROM revision WHERE id = @id;

-- name: DeletePicture :exec
DELETE FROM picture WHERE hash = @hash;

-- name: PictureHashes :many
SELECT hash FROM picture;

-- name: InsertPicture :exec
INSERT INTO picture (hash, type, body) VALUES (@hash, @type, @body)
ON CONFLICT (hash) DO NOTHING;

-- name: ListPictureVariants :many
SELECT source, recipe, hash FROM picture_variant;

-- name: InsertPictureVariant :exec
INSERT INTO picture_variant (source, recipe, hash) VALUES (@source, @recipe, @hash)
ON CONFLICT (source, recipe) DO NOTHING;

-- name: GetPicture :one
SELECT type, body FROM picture WHERE hash = @hash;

-- name: ContentVersion :one
-- Whether content, or what is set over it, has changed; revision is 0 before the first import.
SELECT CAST(COALESCE((SELECT MAX(id) FROM revision), 0) AS bigint) AS revision, version AS live
FROM stop_version WHERE id = 1;

-- name: ListStops :many
SELECT site, kind, alias, shop_id, until, created_at, reason, note, actor, shop_ends FROM stop
WHERE until IS NULL OR until > @now
ORDER BY site, kind, alias, shop_id;

-- name: GetStop :one
SELECT site, kind, alias, shop_id, until, created_at, reason, note, actor, shop_ends FROM stop
WHERE site = @site AND kind = @kind AND alias = @alias AND shop_id = @shop_id;

-- name: UpsertStop :exec
INSERT INTO stop (site, kind, alias, shop_id, until, shop_ends, reason, note, actor, created_at)
VALUES (@site, @kind, @alias, @shop_id, sqlc.narg(until), @shop_ends, @reason, @note, @actor, @now)
ON CONFLICT (site, kind, alias, shop_id)
DO UPDATE SET until = excluded.until, shop_ends = excluded.shop_ends, reason = excluded.reason, note = excluded.note,
    actor = excluded.actor, created_at = excluded.created_at;

-- name: DeleteStop :exec
DELETE FROM stop WHERE site = @site AND kind = @kind AND alias = @alias AND shop_id = @shop_id;

-- name: DeleteEndedStops :exec
DELETE FROM stop WHERE until <= @now;

-- name: BumpLive :exec
-- Lets all servers notice that what is set over the content has changed.
UPDATE stop_version SET version = version + 1 WHERE id = 1;
