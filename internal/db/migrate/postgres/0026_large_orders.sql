-- +goose Up

-- An order that is heavier than a ceiling takes minutes of several intervals: none is
-- overbooked any more, not by a single order either. One that was keeps its minutes.
UPDATE slot SET ceiling_minutes = used_minutes WHERE used_minutes > ceiling_minutes;
ALTER TABLE slot DROP CONSTRAINT slot_check1;
ALTER TABLE slot ADD CONSTRAINT slot_within_ceiling CHECK (used_minutes <= ceiling_minutes);

-- A JSON object: of which intervals before starts_at the hold takes how much, by their ids as
-- minutes is written.
ALTER TABLE slot_hold ADD COLUMN earlier text NOT NULL DEFAULT '{}';
