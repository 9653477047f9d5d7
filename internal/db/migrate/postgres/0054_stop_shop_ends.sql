-- +goose Up
-- A stop of all shops that ends with the shift of each: the ends by shop, as JSON; empty for a stop that ends everywhere
-- at once.
ALTER TABLE stop ADD COLUMN shop_ends text NOT NULL DEFAULT '';
