-- +goose Up

-- The orders of a city that wait for their payment are few; those ever sold are many.
CREATE INDEX orders_waiting ON orders (site, city_id) WHERE state = 'waiting_for_payment';
