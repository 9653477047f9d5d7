-- +goose Up

-- One row that readiness writes, to know that the database takes writes.
CREATE TABLE write_probe (
    id         bigint      NOT NULL PRIMARY KEY,
    written_at timestamptz
);
INSERT INTO write_probe (id) VALUES (1);
