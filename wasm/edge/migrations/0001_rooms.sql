-- Rooms: one run on many devices. Times are Unix milliseconds. Rows are added and marked, never rewritten, so each
-- statement can be repeated and two requests at the same time do no harm.

-- What does not fit into a row, in base64: rounds, large units, results, files of own models.
CREATE TABLE IF NOT EXISTS part(
  room TEXT NOT NULL, name TEXT NOT NULL, part INTEGER NOT NULL, hash TEXT NOT NULL, data TEXT NOT NULL,
  PRIMARY KEY(room, name, part)) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS room(
  code TEXT PRIMARY KEY, token TEXT NOT NULL, build TEXT NOT NULL, link TEXT NOT NULL, opened INTEGER NOT NULL,
  ends INTEGER NOT NULL, closed INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
  units INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0, devices INTEGER NOT NULL DEFAULT 0,
  board TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS room_ends ON room(ends);

CREATE TABLE IF NOT EXISTS device(
  room TEXT NOT NULL, id TEXT NOT NULL, joined INTEGER NOT NULL, seen INTEGER NOT NULL,
  given INTEGER NOT NULL DEFAULT 0, out INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(room, id)) WITHOUT ROWID;

-- done: 0 to be computed, 1 computed by a device, 2 by one that was left out since.
-- look: 0 no second look, 1 wanted, 2 over. until, look_until: when the last lease of either kind runs out; holder: who
-- has the first of them.
CREATE TABLE IF NOT EXISTS unit(
  seq INTEGER PRIMARY KEY, room TEXT NOT NULL, id TEXT NOT NULL, round TEXT NOT NULL, round_parts INTEGER NOT NULL,
  own_parts INTEGER NOT NULL, own TEXT NOT NULL, until INTEGER NOT NULL DEFAULT 0,
  holder TEXT NOT NULL DEFAULT '', done INTEGER NOT NULL DEFAULT 0,
  by TEXT NOT NULL DEFAULT '', hash TEXT NOT NULL DEFAULT '', look INTEGER NOT NULL DEFAULT 0,
  look_until INTEGER NOT NULL DEFAULT 0, UNIQUE(room, id));
CREATE INDEX IF NOT EXISTS unit_free ON unit(room, until, seq) WHERE done = 0;
CREATE INDEX IF NOT EXISTS unit_look ON unit(room, look_until) WHERE look = 1;
CREATE INDEX IF NOT EXISTS unit_seen_once ON unit(room, seq) WHERE done = 1 AND look = 0;

-- Which device was given which unit; hash: of the result that it gave back.
CREATE TABLE IF NOT EXISTS lease(
  room TEXT NOT NULL, unit TEXT NOT NULL, device TEXT NOT NULL, look INTEGER NOT NULL, hash TEXT NOT NULL DEFAULT '',
  PRIMARY KEY(room, unit, device)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS lease_open ON lease(room, device) WHERE hash = '';

CREATE TABLE IF NOT EXISTS result(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, room TEXT NOT NULL, unit TEXT NOT NULL, device TEXT NOT NULL,
  hash TEXT NOT NULL, parts INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS result_room ON result(room, seq);
