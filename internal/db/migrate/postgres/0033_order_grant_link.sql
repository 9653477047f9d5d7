-- +goose Up

-- Phone and number open less of an order than its link does. Grants from before count as by phone:
-- the link opens the order again.
ALTER TABLE order_grant ADD COLUMN by_link boolean NOT NULL DEFAULT false;
