-- Short links. The id is a hash of the rest, so the same experiment has one row.
CREATE TABLE IF NOT EXISTS share(
  id TEXT PRIMARY KEY, link TEXT NOT NULL, title TEXT NOT NULL, about TEXT NOT NULL, made INTEGER NOT NULL) WITHOUT ROWID;
