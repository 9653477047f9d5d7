-- +goose Up

-- The place in which this database is at work, so that a copy of it elsewhere is noticed. starts
-- counts those there. While held_at is set, no jobs run and nothing is sent.
CREATE TABLE installation (
    id           integer     NOT NULL PRIMARY KEY,
    place        text        NOT NULL,
    starts       integer     NOT NULL,
    held_at      timestamp,
    held_because text        NOT NULL
);
INSERT INTO installation (id, place, starts, held_because) VALUES (1, '', 0, '');
