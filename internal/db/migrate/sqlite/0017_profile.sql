-- +goose Up

-- What is known of a customer; empty until they fill it in. birthday is YYYY-MM-DD. One who
-- is erased stays as a tombstone without a person: what the books need hangs on its id.
ALTER TABLE customer ADD COLUMN sex text NOT NULL DEFAULT '';
ALTER TABLE customer ADD COLUMN birthday text NOT NULL DEFAULT '';
ALTER TABLE customer ADD COLUMN email text NOT NULL DEFAULT '';
ALTER TABLE customer ADD COLUMN erased_at timestamp;
CREATE INDEX customer_erased_at ON customer (erased_at) WHERE erased_at IS NOT NULL;

-- What a customer agreed to and took back, each answer with the version of the text that
-- it was given to and the network address that it came from. Only added to.
CREATE TABLE consent_answer (
    id          integer   NOT NULL PRIMARY KEY AUTOINCREMENT,
    customer_id integer   NOT NULL REFERENCES customer (id) ON DELETE CASCADE,
    kind        text      NOT NULL,
    version     text      NOT NULL,
    is_given    boolean   NOT NULL,
    address     text      NOT NULL,
    at          timestamp NOT NULL
);
CREATE INDEX consent_answer_customer_id ON consent_answer (customer_id, id);

-- Where and since when a customer is signed in: browser and system in words.
ALTER TABLE session ADD COLUMN device text NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN signed_in_at timestamp;

-- A customer's orders, the newest first.
CREATE INDEX orders_of_customer ON orders (site, customer_id, created_at, id) WHERE customer_id <> 0;
DROP INDEX orders_customer;

-- What is forgotten with a phone.
CREATE INDEX undelivered_place_phone ON undelivered_place (site, phone);
