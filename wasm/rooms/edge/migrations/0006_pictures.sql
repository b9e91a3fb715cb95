-- Pictures of runs, for previews of short links, as base64.

CREATE TABLE IF NOT EXISTS picture(id TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID;
