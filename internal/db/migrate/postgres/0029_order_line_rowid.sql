-- +goose Up

-- Lines of orders are rebuilt in SQLite alone.
SELECT 1;
