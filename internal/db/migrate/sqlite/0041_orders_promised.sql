-- +goose Up

-- The restaurant searches its orders by the day that they are promised for.
CREATE INDEX orders_promised ON orders (site, promised_from, id);
