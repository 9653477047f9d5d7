-- +goose Up

-- The accounts of the bonus ledger, in minor units. In each currency each customer has one,
-- and each brand three: issued is where bonuses come from and go back to, held what waits
-- for orders, spent what was paid with. balance is the sum of the account's entries; it is kept for
-- customers only, who each have a row of their own, so that no two orders of a brand wait
-- for each other.
CREATE TABLE bonus_account (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site        text   NOT NULL,
    currency    text   NOT NULL,
    kind        text   NOT NULL CHECK (kind IN ('customer', 'issued', 'held', 'spent')),
    customer_id bigint REFERENCES customer (id),
    balance     bigint CHECK (balance >= 0),
    CHECK ((kind = 'customer') = (customer_id IS NOT NULL)),
    CHECK ((kind = 'customer') = (balance IS NOT NULL)),
    UNIQUE (customer_id, currency)
);
CREATE UNIQUE INDEX bonus_account_of_site ON bonus_account (site, currency, kind) WHERE kind <> 'customer';

-- Something that happened, once by its key: "order:17:hold", "give:sushi:birthday-5". One
-- without entries says that it can no longer happen.
CREATE TABLE bonus_posting (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key        text        NOT NULL UNIQUE,
    created_at timestamptz NOT NULL
);

-- What a posting adds to an account. The entries of a posting sum to zero: they are
-- written two at a time, by one statement.
CREATE TABLE bonus_entry (
    posting_id bigint NOT NULL REFERENCES bonus_posting (id),
    account_id bigint NOT NULL REFERENCES bonus_account (id),
    amount     bigint NOT NULL CHECK (amount <> 0),
    PRIMARY KEY (posting_id, account_id)
);
CREATE INDEX bonus_entry_account_id ON bonus_entry (account_id);

-- The ledger is only ever added to.
-- +goose StatementBegin
CREATE FUNCTION bonus_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the bonus ledger is append-only' USING ERRCODE = 'check_violation';
END
$$;
-- +goose StatementEnd
CREATE TRIGGER bonus_posting_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bonus_posting
    FOR EACH STATEMENT EXECUTE FUNCTION bonus_is_append_only();
CREATE TRIGGER bonus_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bonus_entry
    FOR EACH STATEMENT EXECUTE FUNCTION bonus_is_append_only();
