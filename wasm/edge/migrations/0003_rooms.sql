-- Rooms: one run on many devices. Times are Unix milliseconds. Each statement can be repeated, and two requests at the
-- same time do no harm. No request reads more rows than it answers with or changes: what would be counted is kept.
DROP TABLE IF EXISTS part;
DROP TABLE IF EXISTS room;
DROP TABLE IF EXISTS device;
DROP TABLE IF EXISTS unit;
DROP TABLE IF EXISTS lease;
DROP TABLE IF EXISTS result;

-- What does not fit into a row, in base64: rounds, large units, results, files of own models.
CREATE TABLE IF NOT EXISTS part(
  room TEXT NOT NULL, name TEXT NOT NULL, part INTEGER NOT NULL, hash TEXT NOT NULL, data TEXT NOT NULL,
  PRIMARY KEY(room, name, part)) WITHOUT ROWID;

-- bytes: of all parts, loose: of results that are not whole yet. looks: units whose check is open. givers: devices that
-- gave a result; strangers: those that gave none yet. took: milliseconds that all first results took.
CREATE TABLE IF NOT EXISTS room(
  code TEXT PRIMARY KEY, token TEXT NOT NULL, build TEXT NOT NULL, link TEXT NOT NULL, opened INTEGER NOT NULL,
  ends INTEGER NOT NULL, closed INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
  loose INTEGER NOT NULL DEFAULT 0, units INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0,
  looks INTEGER NOT NULL DEFAULT 0, givers INTEGER NOT NULL DEFAULT 0, strangers INTEGER NOT NULL DEFAULT 0,
  took INTEGER NOT NULL DEFAULT 0, board TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS room_ends ON room(ends);

-- out: left out, with all devices whose ids begin as its own.
CREATE TABLE IF NOT EXISTS machine(
  room TEXT NOT NULL, id TEXT NOT NULL, devices INTEGER NOT NULL DEFAULT 0, out INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(room, id)) WITHOUT ROWID;

-- unit: the one that the device has, '' for none; loose: bytes of its result that came so far.
CREATE TABLE IF NOT EXISTS device(
  room TEXT NOT NULL, id TEXT NOT NULL, joined INTEGER NOT NULL, seen INTEGER NOT NULL,
  given INTEGER NOT NULL DEFAULT 0, out INTEGER NOT NULL DEFAULT 0, unit TEXT NOT NULL DEFAULT '',
  loose INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(room, id)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS device_stranger ON device(room, seen) WHERE given = 0;

-- done: 0 to be computed, 1 computed by a device, 2 by one that was left out since.
-- look: 0 no check, 1 wanted, 2 over. until, look_until: when the last lease of either kind runs out. holder: who got the
-- unit last, for a lease of the first kind since when; before: who had it until then.
CREATE TABLE IF NOT EXISTS unit(
  seq INTEGER PRIMARY KEY, room TEXT NOT NULL, id TEXT NOT NULL, round TEXT NOT NULL, round_parts INTEGER NOT NULL,
  own_parts INTEGER NOT NULL, own TEXT NOT NULL, until INTEGER NOT NULL DEFAULT 0,
  holder TEXT NOT NULL DEFAULT '', before TEXT NOT NULL DEFAULT '', since INTEGER NOT NULL DEFAULT 0,
  done INTEGER NOT NULL DEFAULT 0,
  by TEXT NOT NULL DEFAULT '', look INTEGER NOT NULL DEFAULT 0, look_until INTEGER NOT NULL DEFAULT 0,
  UNIQUE(room, id));
CREATE INDEX IF NOT EXISTS unit_free ON unit(room, until, id) WHERE done = 0;
CREATE INDEX IF NOT EXISTS unit_held ON unit(room, since) WHERE done = 0 AND since > 0;
CREATE INDEX IF NOT EXISTS unit_look ON unit(room, look_until) WHERE look = 1;
CREATE INDEX IF NOT EXISTS unit_by ON unit(room, by) WHERE done = 1;

-- parts: of the bytes that are kept; 0 of a check, of which the hash is enough, and of a device that was left out; -1 of
-- an error, whose unit goes to other devices.
CREATE TABLE IF NOT EXISTS result(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, room TEXT NOT NULL, unit TEXT NOT NULL, device TEXT NOT NULL,
  hash TEXT NOT NULL, parts INTEGER NOT NULL, UNIQUE(room, unit, device));
CREATE INDEX IF NOT EXISTS result_room ON result(room, seq);

-- What a server keeps in all: rooms, bytes of them, short links.
CREATE TABLE IF NOT EXISTS total(name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO total VALUES('rooms', 0) ON CONFLICT DO UPDATE SET n = 0;
INSERT INTO total VALUES('bytes', 0) ON CONFLICT DO UPDATE SET n = 0;
INSERT INTO total SELECT 'shares', count(*) FROM share WHERE true ON CONFLICT DO NOTHING;

-- made: when a link was made or last used, in steps of days.
CREATE INDEX IF NOT EXISTS share_made ON share(made);
