-- +goose Up

-- The accounts of the bonus ledger, in minor units. In each currency each customer has one,
-- and each brand three: issued is where bonuses come from and go back to, held what waits
-- for orders, spent what was paid with. balance is the sum of the account's entries; it is kept for
-- customers only, who each have a row of their own, so that no two orders of a brand wait
-- for each other.
CREATE TABLE bonus_account (
    id          integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    site        text    NOT NULL,
    currency    text    NOT NULL,
    kind        text    NOT NULL CHECK (kind IN ('customer', 'issued', 'held', 'spent')),
    customer_id integer REFERENCES customer (id),
    balance     integer CHECK (balance >= 0),
    CHECK ((kind = 'customer') = (customer_id IS NOT NULL)),
    CHECK ((kind = 'customer') = (balance IS NOT NULL)),
    UNIQUE (customer_id, currency)
);
CREATE UNIQUE INDEX bonus_account_of_site ON bonus_account (site, currency, kind) WHERE kind <> 'customer';

-- Something that happened, once by its key: "order:17:hold", "give:sushi:birthday-5". One
-- without entries says that it can no longer happen.
CREATE TABLE bonus_posting (
    id         integer   NOT NULL PRIMARY KEY AUTOINCREMENT,
    key        text      NOT NULL UNIQUE,
    created_at timestamp NOT NULL
);

-- What a posting adds to an account. The entries of a posting sum to zero: they are
-- written two at a time, by one statement.
CREATE TABLE bonus_entry (
    posting_id integer NOT NULL REFERENCES bonus_posting (id),
    account_id integer NOT NULL REFERENCES bonus_account (id),
    amount     integer NOT NULL CHECK (amount <> 0),
    PRIMARY KEY (posting_id, account_id)
) WITHOUT ROWID;
CREATE INDEX bonus_entry_account_id ON bonus_entry (account_id);

-- The ledger is only ever added to.
-- +goose StatementBegin
CREATE TRIGGER bonus_posting_no_update BEFORE UPDATE ON bonus_posting
BEGIN SELECT RAISE(ABORT, 'the bonus ledger is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER bonus_posting_no_delete BEFORE DELETE ON bonus_posting
BEGIN SELECT RAISE(ABORT, 'the bonus ledger is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER bonus_entry_no_update BEFORE UPDATE ON bonus_entry
BEGIN SELECT RAISE(ABORT, 'the bonus ledger is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER bonus_entry_no_delete BEFORE DELETE ON bonus_entry
BEGIN SELECT RAISE(ABORT, 'the bonus ledger is append-only'); END;
-- +goose StatementEnd
