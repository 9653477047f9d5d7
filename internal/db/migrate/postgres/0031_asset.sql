-- +goose Up

-- The page of each release of the program that was started. used_at says when a process last
-- ran it.
CREATE TABLE page_release (
    id      text        NOT NULL PRIMARY KEY,
    used_at timestamptz NOT NULL
);

-- The files of those pages. A name follows from what is in the file.
CREATE TABLE asset (
    name text  NOT NULL PRIMARY KEY,
    body bytea NOT NULL
);

CREATE TABLE page_asset (
    release_id text NOT NULL REFERENCES page_release (id) ON DELETE CASCADE,
    name       text NOT NULL REFERENCES asset (name),
    PRIMARY KEY (release_id, name)
);
CREATE INDEX page_asset_name ON page_asset (name);
