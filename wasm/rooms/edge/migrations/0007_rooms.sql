-- Rooms. Times are Unix milliseconds; out, over and closed are 0 or 1. D1 has no transactions of several statements, so
-- changes that belong together are made by triggers of one statement. An empty line ends each statement (prepare).

-- Delete the tables and triggers of older versions.

DROP TABLE IF EXISTS part;

DROP TABLE IF EXISTS room;

DROP TABLE IF EXISTS machine;

DROP TABLE IF EXISTS device;

DROP TABLE IF EXISTS unit;

DROP TABLE IF EXISTS lease;

DROP TABLE IF EXISTS result;

DROP TABLE IF EXISTS poll;

DROP TABLE IF EXISTS ballot;

DROP TABLE IF EXISTS vote;

DROP TABLE IF EXISTS total;

DROP TABLE IF EXISTS file;

DROP TABLE IF EXISTS task;

DROP TABLE IF EXISTS usage;

DROP TRIGGER IF EXISTS picture_kept;

DROP TRIGGER IF EXISTS picture_gone;

DROP TRIGGER IF EXISTS share_kept;

DROP TRIGGER IF EXISTS share_gone;

-- token: hash of the host's token. heard: time of the last request of the host. ends: when the room is deleted.
-- run: number of the current run; build, link, files (JSON), replicates and over describe it.
-- done: number of its replicates with a result; took: sum of their times from the hand-out to the first result.
-- step, answers, asked: the open question and the time at which it was opened; answers is 0 if there is none.
-- devices: number of rows in device; givers: devices with a result that are not excluded. bytes: of files and results.
CREATE TABLE IF NOT EXISTS room(
  code TEXT PRIMARY KEY, token TEXT NOT NULL, opened INTEGER NOT NULL, heard INTEGER NOT NULL, ends INTEGER NOT NULL,
  closed INTEGER NOT NULL DEFAULT 0,
  run INTEGER NOT NULL DEFAULT 0, build TEXT NOT NULL DEFAULT '', replicates INTEGER NOT NULL DEFAULT 0,
  over INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0, took INTEGER NOT NULL DEFAULT 0,
  step INTEGER NOT NULL DEFAULT 0, answers INTEGER NOT NULL DEFAULT 0, asked INTEGER NOT NULL DEFAULT 0,
  devices INTEGER NOT NULL DEFAULT 0, givers INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
  link TEXT NOT NULL DEFAULT '', files TEXT NOT NULL DEFAULT '', board TEXT NOT NULL DEFAULT '') WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS room_ends ON room(ends);

-- Parts of model files, as base64. size is the length of data.
CREATE TABLE IF NOT EXISTS file(
  room TEXT NOT NULL, name TEXT NOT NULL, part INTEGER NOT NULL, size INTEGER NOT NULL, data TEXT NOT NULL,
  PRIMARY KEY(room, name, part));

-- idx, taken: the replicate that the device has, and the time at which it took it; 0 if it has none.
-- given: number of its results that were the first of their replicate or equal to it. out: it is excluded.
CREATE TABLE IF NOT EXISTS device(
  room TEXT NOT NULL, id TEXT NOT NULL, joined INTEGER NOT NULL, seen INTEGER NOT NULL,
  given INTEGER NOT NULL DEFAULT 0, out INTEGER NOT NULL DEFAULT 0,
  run INTEGER NOT NULL DEFAULT 0, idx INTEGER NOT NULL DEFAULT 0, taken INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(room, id)) WITHOUT ROWID;

-- A replicate that was handed out. by, hash: device and hash of its first result. hands: number of hand-outs for
-- the next result; since: time of the first of these; both are 0 if it is to be handed out at once.
CREATE TABLE IF NOT EXISTS task(
  room TEXT NOT NULL, run INTEGER NOT NULL, idx INTEGER NOT NULL, results INTEGER NOT NULL DEFAULT 0,
  by TEXT NOT NULL DEFAULT '', hash TEXT NOT NULL DEFAULT '', since INTEGER NOT NULL, hands INTEGER NOT NULL,
  PRIMARY KEY(room, run, idx)) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS task_open ON task(room, run, results, hands, since, idx) WHERE results < 2;

-- Only the first result of a replicate has a body, as base64. size is its length. AUTOINCREMENT: numbers of deleted
-- results are not used again, because the host requests results after a number.
CREATE TABLE IF NOT EXISTS result(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, room TEXT NOT NULL, run INTEGER NOT NULL, idx INTEGER NOT NULL,
  device TEXT NOT NULL, came INTEGER NOT NULL, hash TEXT NOT NULL, size INTEGER NOT NULL, body TEXT NOT NULL,
  UNIQUE(room, run, idx, device));

CREATE INDEX IF NOT EXISTS result_room ON result(room, run, seq);

-- The vote of each device on the open question. The rows are deleted when it is closed.
CREATE TABLE IF NOT EXISTS ballot(
  room TEXT NOT NULL, device TEXT NOT NULL, step INTEGER NOT NULL, answer INTEGER NOT NULL,
  changes INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(room, device)) WITHOUT ROWID;

-- Counts of votes; for step 0, of presses of the remote control.
CREATE TABLE IF NOT EXISTS vote(
  room TEXT NOT NULL, step INTEGER NOT NULL, answer INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY(room, step, answer)) WITHOUT ROWID;

-- How often an address did something in the time window that ends at ends.
CREATE TABLE IF NOT EXISTS usage(
  address TEXT NOT NULL, what TEXT NOT NULL, ends INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY(address, what)) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS usage_ends ON usage(ends);

-- Totals: bytes of rooms, bytes of pictures, and short links.
CREATE TABLE IF NOT EXISTS total(name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;

INSERT INTO total SELECT 'rooms', 0 UNION ALL SELECT 'shares', count(*) FROM share UNION ALL
  SELECT 'pictures', coalesce(sum(length(data)), 0) FROM picture WHERE true ON CONFLICT DO NOTHING;

CREATE TRIGGER IF NOT EXISTS room_bytes AFTER UPDATE OF bytes ON room WHEN NEW.bytes <> OLD.bytes BEGIN
  UPDATE total SET n = n + NEW.bytes - OLD.bytes WHERE name = 'rooms';
END;

CREATE TRIGGER IF NOT EXISTS file_kept AFTER INSERT ON file BEGIN
  UPDATE room SET bytes = bytes + NEW.size WHERE code = NEW.room;
END;

CREATE TRIGGER IF NOT EXISTS file_replaced AFTER UPDATE ON file BEGIN
  UPDATE room SET bytes = bytes + NEW.size - OLD.size WHERE code = NEW.room;
END;

CREATE TRIGGER IF NOT EXISTS file_gone AFTER DELETE ON file BEGIN
  UPDATE room SET bytes = bytes - OLD.size WHERE code = OLD.room;
END;

CREATE TRIGGER IF NOT EXISTS device_came AFTER INSERT ON device BEGIN
  UPDATE room SET devices = devices + 1 WHERE code = NEW.room;
END;

CREATE TRIGGER IF NOT EXISTS device_gone AFTER DELETE ON device BEGIN
  UPDATE room SET devices = devices - 1, givers = givers - (OLD.given > 0 AND OLD.out = 0) WHERE code = OLD.room;
END;

CREATE TRIGGER IF NOT EXISTS device_gave AFTER UPDATE OF given, out ON device
WHEN (NEW.given > 0 AND NEW.out = 0) <> (OLD.given > 0 AND OLD.out = 0) BEGIN
  UPDATE room SET givers = givers + (NEW.given > 0 AND NEW.out = 0) - (OLD.given > 0 AND OLD.out = 0)
    WHERE code = NEW.room;
END;

-- A time counts at most three times the mean so far, so that a device that slept with a replicate hardly changes it.
CREATE TRIGGER IF NOT EXISTS result_came AFTER INSERT ON result BEGIN
  UPDATE room SET done = done + 1, bytes = bytes + NEW.size,
    took = took + min(iif(done = 0, 86400000, max(1000, 3 * took / max(done, 1))), max(0, NEW.came -
      (SELECT taken FROM device WHERE room = NEW.room AND id = NEW.device)))
    WHERE code = NEW.room AND 0 = (SELECT results FROM task WHERE room = NEW.room AND run = NEW.run AND idx = NEW.idx);
  UPDATE device SET idx = 0, seen = NEW.came, given = given +
    (SELECT results = 0 OR hash = NEW.hash FROM task WHERE room = NEW.room AND run = NEW.run AND idx = NEW.idx)
    WHERE room = NEW.room AND id = NEW.device;
  UPDATE task SET results = results + 1, by = iif(results = 0, NEW.device, by), hash = iif(results = 0, NEW.hash, hash),
    since = iif(results = 0, 0, since), hands = iif(results = 0, 0, hands)
    WHERE room = NEW.room AND run = NEW.run AND idx = NEW.idx;
END;

-- If the first result of a replicate is deleted, the others are deleted, too, so that all devices may compute it again.
CREATE TRIGGER IF NOT EXISTS result_gone AFTER DELETE ON result BEGIN
  UPDATE room SET bytes = bytes - OLD.size WHERE code = OLD.room AND OLD.size > 0;
  UPDATE room SET took = took * (done - 1) / done, done = done - 1 WHERE code = OLD.room AND run = OLD.run AND done > 0
    AND OLD.device = (SELECT by FROM task WHERE room = OLD.room AND run = OLD.run AND idx = OLD.idx);
  DELETE FROM result WHERE room = OLD.room AND run = OLD.run AND idx = OLD.idx
    AND OLD.device = (SELECT by FROM task WHERE room = OLD.room AND run = OLD.run AND idx = OLD.idx);
  UPDATE task SET results = iif(by = OLD.device, 0, max(results - 1, 0)), hash = iif(by = OLD.device, '', hash),
    by = iif(by = OLD.device, '', by), since = 0, hands = 0
    WHERE room = OLD.room AND run = OLD.run AND idx = OLD.idx;
END;

CREATE TRIGGER IF NOT EXISTS ballot_cast AFTER INSERT ON ballot BEGIN
  INSERT INTO vote VALUES(NEW.room, NEW.step, NEW.answer, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER IF NOT EXISTS ballot_changed AFTER UPDATE OF step, answer ON ballot BEGIN
  UPDATE vote SET n = n - 1 WHERE room = OLD.room AND step = OLD.step AND answer = OLD.answer AND OLD.step = NEW.step;
  INSERT INTO vote VALUES(NEW.room, NEW.step, NEW.answer, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;

-- made: time at which a link was made or last used, in steps of days.
CREATE INDEX IF NOT EXISTS share_made ON share(made);

CREATE TRIGGER IF NOT EXISTS share_kept AFTER INSERT ON share BEGIN
  UPDATE total SET n = n + 1 WHERE name = 'shares';
END;

CREATE TRIGGER IF NOT EXISTS share_gone AFTER DELETE ON share BEGIN
  DELETE FROM picture WHERE id = OLD.id;
  UPDATE total SET n = n - 1 WHERE name = 'shares';
END;

CREATE TRIGGER IF NOT EXISTS picture_kept AFTER INSERT ON picture BEGIN
  UPDATE total SET n = n + length(NEW.data) WHERE name = 'pictures';
END;

CREATE TRIGGER IF NOT EXISTS picture_gone AFTER DELETE ON picture BEGIN
  UPDATE total SET n = n - length(OLD.data) WHERE name = 'pictures';
END;
