-- +goose Up

-- Old grants are looked for each minute.
CREATE INDEX order_grant_created_at ON order_grant (created_at);
