-- name: WriteProbe :execrows
UPDATE write_probe SET written_at = @now WHERE id = 1;
