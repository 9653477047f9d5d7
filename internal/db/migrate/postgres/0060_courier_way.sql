-- +goose Up

-- The way that the courier takes, as the operator's system says it (JSON), the minutes it
-- says are left, and since when and around which point the courier has been standing.
ALTER TABLE courier_position ADD COLUMN route text NOT NULL DEFAULT '';
ALTER TABLE courier_position ADD COLUMN minutes bigint;
ALTER TABLE courier_position ADD COLUMN still_latitude double precision NOT NULL DEFAULT 0;
ALTER TABLE courier_position ADD COLUMN still_longitude double precision NOT NULL DEFAULT 0;
ALTER TABLE courier_position ADD COLUMN still_since timestamptz;
