-- +goose Up

-- What was made of a picture of a content folder: source is the hash of that picture,
-- recipe its format, width and quality. It goes with the file that was made.
CREATE TABLE picture_variant (
    source text NOT NULL,
    recipe text NOT NULL,
    hash   text NOT NULL REFERENCES picture (hash) ON DELETE CASCADE,
    PRIMARY KEY (source, recipe)
) WITHOUT ROWID;
CREATE INDEX picture_variant_hash ON picture_variant (hash);
