-- name: GetInstallation :one
SELECT place, starts, held_at, held_because FROM installation WHERE id = 1;

-- name: StartInstallation :exec
UPDATE installation SET place = @place, starts = @starts WHERE id = 1;

-- name: HoldInstallation :exec
UPDATE installation SET held_at = @now, held_because = @because WHERE id = 1 AND held_at IS NULL;

-- name: ReleaseInstallation :exec
UPDATE installation SET place = '', held_at = NULL, held_because = '' WHERE id = 1;
