-- +goose Up

-- Whose order it is, 0 for a guest's; the code that was active; what is accrued when it
-- is done, as the programme was when it was placed; and when it was paid back, which is
-- the one thing besides the state that ever changes.
ALTER TABLE orders ADD COLUMN customer_id bigint NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN promocode text NOT NULL DEFAULT '';
ALTER TABLE orders ADD COLUMN upcoming_bonuses bigint NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN refunded_at timestamptz;

-- Whether a phone or a customer has ordered before.
CREATE INDEX orders_phone ON orders (site, phone);
CREATE INDEX orders_customer ON orders (site, customer_id) WHERE customer_id <> 0;

-- What was never paid, for the deadline.
CREATE INDEX orders_unpaid ON orders (created_at) WHERE state = 'waiting_for_payment';
