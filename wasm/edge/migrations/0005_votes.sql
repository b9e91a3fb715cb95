-- Votes on the questions of a lecture.
DROP TABLE IF EXISTS poll;
DROP TABLE IF EXISTS ballot;
DROP TABLE IF EXISTS vote;

-- The question that is open in a room; without a row there is none.
CREATE TABLE IF NOT EXISTS poll(
  room TEXT PRIMARY KEY, step INTEGER NOT NULL, answers INTEGER NOT NULL) WITHOUT ROWID;

-- What each machine says to the question that is open, so that it has one vote and can change it; gone when the question
-- is closed.
CREATE TABLE IF NOT EXISTS ballot(
  room TEXT NOT NULL, machine TEXT NOT NULL, step INTEGER NOT NULL, answer INTEGER NOT NULL,
  changes INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(room, machine)) WITHOUT ROWID;

-- What stays: counts by step and answer.
CREATE TABLE IF NOT EXISTS vote(
  room TEXT NOT NULL, step INTEGER NOT NULL, answer INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY(room, step, answer)) WITHOUT ROWID;

CREATE TRIGGER IF NOT EXISTS ballot_cast AFTER INSERT ON ballot BEGIN
  INSERT INTO vote VALUES(NEW.room, NEW.step, NEW.answer, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER IF NOT EXISTS ballot_changed AFTER UPDATE OF step, answer ON ballot BEGIN
  UPDATE vote SET n = n - 1 WHERE room = OLD.room AND step = OLD.step AND answer = OLD.answer AND OLD.step = NEW.step;
  INSERT INTO vote VALUES(NEW.room, NEW.step, NEW.answer, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
