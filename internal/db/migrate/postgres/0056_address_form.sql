-- +goose Up

-- What the forms of some countries ask for besides. An older program leaves it empty.
ALTER TABLE delivery_address ADD COLUMN private_house boolean NOT NULL DEFAULT false;
ALTER TABLE delivery_address ADD COLUMN building text NOT NULL DEFAULT '';
ALTER TABLE delivery_address ADD COLUMN rear_building text NOT NULL DEFAULT '';
ALTER TABLE delivery_address ADD COLUMN bell_name text NOT NULL DEFAULT '';
ALTER TABLE delivery_address ADD COLUMN landmark text NOT NULL DEFAULT '';
