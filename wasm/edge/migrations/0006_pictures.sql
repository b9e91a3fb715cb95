-- Pictures of runs, for previews of short links, as base64. They go with their links, and those of links that nobody
-- used for longest go first. Each counts as two pieces of 64 kB of what all rooms may have, and has no more.
CREATE TABLE IF NOT EXISTS picture(id TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO total SELECT 'pictures', count(*) FROM picture WHERE true ON CONFLICT DO UPDATE SET n = excluded.n;
UPDATE total SET n = n + 2 * (SELECT count(*) FROM picture) WHERE name = 'bytes';

CREATE TRIGGER IF NOT EXISTS picture_kept AFTER INSERT ON picture BEGIN
  UPDATE total SET n = n + iif(name = 'bytes', 2, 1) WHERE name IN ('bytes', 'pictures');
END;
CREATE TRIGGER IF NOT EXISTS picture_gone AFTER DELETE ON picture BEGIN
  UPDATE total SET n = n - iif(name = 'bytes', 2, 1) WHERE name IN ('bytes', 'pictures');
END;
CREATE TRIGGER IF NOT EXISTS share_gone AFTER DELETE ON share BEGIN
  DELETE FROM picture WHERE id = OLD.id;
END;
