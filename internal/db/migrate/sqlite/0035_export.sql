-- +goose Up
-- When a customer last asked for everything that is kept of them: reading it is bounded.
CREATE TABLE customer_export (
    customer_id integer   NOT NULL PRIMARY KEY REFERENCES customer (id) ON DELETE CASCADE,
    exported_at timestamp NOT NULL
);
CREATE INDEX customer_export_exported_at ON customer_export (exported_at);
