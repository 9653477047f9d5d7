-- +goose Up

-- The format in which body is written, the folder that it was read from, the aliases of its
-- brands with spaces between, and the revision that it repeats, 0 when it is an import.
ALTER TABLE revision ADD COLUMN format bigint NOT NULL DEFAULT 1;
ALTER TABLE revision ADD COLUMN source text NOT NULL DEFAULT '';
ALTER TABLE revision ADD COLUMN brands text NOT NULL DEFAULT '';
ALTER TABLE revision ADD COLUMN copy_of bigint NOT NULL DEFAULT 0;

-- One row, locked by transactions that add or remove revisions and pictures.
CREATE TABLE revision_lock (
    id bigint PRIMARY KEY CHECK (id = 1)
);
INSERT INTO revision_lock (id) VALUES (1);
