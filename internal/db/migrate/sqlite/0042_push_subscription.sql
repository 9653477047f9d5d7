-- +goose Up

-- A browser that is sent the states of an order. last_change is the number of the last change that was
-- taken to be sent.
CREATE TABLE push_subscription (
    id          integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    order_id    integer   NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    session_id  integer   NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    endpoint    text      NOT NULL,
    p256dh      text      NOT NULL,
    auth        text      NOT NULL,
    language    text      NOT NULL,
    last_change integer   NOT NULL,
    created_at  timestamp NOT NULL,
    UNIQUE (order_id, endpoint)
);
CREATE INDEX push_subscription_session ON push_subscription (session_id);
CREATE INDEX push_subscription_created_at ON push_subscription (created_at);
