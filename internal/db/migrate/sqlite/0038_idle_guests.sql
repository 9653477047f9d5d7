-- +goose Up

-- An index that holds "customer_id = 0" makes SQLite plan a query that compares
-- customer_id with a parameter again at each call. This one has the same rows and does not.
DROP INDEX orders_idle;
CREATE INDEX orders_of_idle_guests ON orders (site, COALESCE(person_seen_at, created_at)) WHERE customer_id < 1 AND session_id <> 0;
