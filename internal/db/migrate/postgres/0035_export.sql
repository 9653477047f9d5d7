-- +goose Up
-- When the customer last asked for everything that is kept of them: reading it is bounded.
ALTER TABLE customer ADD COLUMN exported_at timestamptz;
