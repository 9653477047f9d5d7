-- name: UseRelease :exec
INSERT INTO page_release (id, used_at) VALUES (@id, @now)
ON CONFLICT (id) DO UPDATE SET used_at = excluded.used_at;

-- name: InsertAsset :exec
INSERT INTO asset (name, body) VALUES (@name, @body)
ON CONFLICT (name) DO NOTHING;

-- name: InsertReleaseAsset :exec
INSERT INTO page_asset (release_id, name) VALUES (@release_id, @name)
ON CONFLICT (release_id, name) DO NOTHING;

-- name: CountReleaseAssets :one
SELECT COUNT(*) FROM page_asset WHERE release_id = @release_id;

-- name: ListAssets :many
SELECT name FROM asset;

-- name: GetAsset :one
SELECT body FROM asset WHERE name = @name;

-- name: DeleteOldReleases :execrows
-- The newest ones stay however old they are.
DELETE FROM page_release WHERE page_release.used_at < @before AND page_release.id NOT IN (
    SELECT r.id FROM page_release r ORDER BY r.used_at DESC, r.id LIMIT CAST(@kept AS bigint)
);

-- name: DeleteUnusedAssets :exec
DELETE FROM asset WHERE NOT EXISTS (SELECT 1 FROM page_asset p WHERE p.name = asset.name);
