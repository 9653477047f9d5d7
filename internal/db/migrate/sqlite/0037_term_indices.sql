-- +goose Up

-- What the sweeps look for by its age. The index of orders has those of guests that name a person
-- yet: the others have no session.
CREATE INDEX customer_idle ON customer (site, COALESCE(seen_at, created_at)) WHERE erased_at IS NULL;
CREATE INDEX orders_idle ON orders (site, COALESCE(person_seen_at, created_at)) WHERE customer_id = 0 AND session_id <> 0;
CREATE INDEX cart_of_guest_seen_at ON cart (site, seen_at) WHERE customer_id IS NULL;
CREATE INDEX cart_of_customer_seen_at ON cart (site, seen_at) WHERE customer_id IS NOT NULL;
CREATE INDEX stock_hold_confirmed_at ON stock_hold (confirmed_at) WHERE expires_at IS NULL;
CREATE INDEX undelivered_place_created_at ON undelivered_place (created_at);
CREATE INDEX present_expires_at ON present (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX payment_event_at ON payment_event (at);
