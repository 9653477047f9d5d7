-- +goose Up

-- Every change of an order has a kind, which is empty in older rows: it follows from their state.
-- reason, note and food say why and what became of the dishes; amount is what was refunded;
-- promised_from and promised_to are set where the change made a new promise.
ALTER TABLE order_status ADD COLUMN kind text NOT NULL DEFAULT '';
ALTER TABLE order_status ADD COLUMN reason text NOT NULL DEFAULT '';
ALTER TABLE order_status ADD COLUMN note text NOT NULL DEFAULT '';
ALTER TABLE order_status ADD COLUMN food text NOT NULL DEFAULT '';
ALTER TABLE order_status ADD COLUMN amount integer NOT NULL DEFAULT 0;
ALTER TABLE order_status ADD COLUMN promised_from timestamp;
ALTER TABLE order_status ADD COLUMN promised_to timestamp;

-- outcome is how a canceled order ended; taken_at and taken_by are the mark of an accepted order that
-- the restaurant has taken. agreed_from and agreed_to are the promise that the customer agreed to, set
-- when another promise has taken its place.
ALTER TABLE orders ADD COLUMN outcome text NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN taken_by text NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN taken_at timestamp;
ALTER TABLE orders ADD COLUMN agreed_from timestamp;
ALTER TABLE orders ADD COLUMN agreed_to timestamp;
