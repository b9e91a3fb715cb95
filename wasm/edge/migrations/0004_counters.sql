-- What rows count. Each counter changes in the statement that changes its rows, so a request that is cut short or
-- repeated leaves none of them wrong.

-- The bytes of all rooms are counted in pieces of 64 kB, so that few results change the number.
CREATE TRIGGER IF NOT EXISTS room_opened AFTER INSERT ON room BEGIN
  UPDATE total SET n = n + 1 WHERE name = 'rooms';
END;
CREATE TRIGGER IF NOT EXISTS room_gone AFTER DELETE ON room BEGIN
  UPDATE total SET n = n - 1 WHERE name = 'rooms';
  UPDATE total SET n = n - ((OLD.bytes + 65535) >> 16) WHERE name = 'bytes';
END;
CREATE TRIGGER IF NOT EXISTS room_weighed AFTER UPDATE OF bytes ON room
WHEN (NEW.bytes + 65535) >> 16 <> (OLD.bytes + 65535) >> 16 BEGIN
  UPDATE total SET n = n + ((NEW.bytes + 65535) >> 16) - ((OLD.bytes + 65535) >> 16) WHERE name = 'bytes';
END;

CREATE TRIGGER IF NOT EXISTS part_kept AFTER INSERT ON part BEGIN
  UPDATE room SET bytes = bytes + length(NEW.data) WHERE code = NEW.room;
END;
CREATE TRIGGER IF NOT EXISTS part_gone AFTER DELETE ON part BEGIN
  UPDATE room SET bytes = bytes - length(OLD.data) WHERE code = OLD.room;
END;

CREATE TRIGGER IF NOT EXISTS device_came AFTER INSERT ON device BEGIN
  UPDATE room SET strangers = strangers + 1 WHERE code = NEW.room;
  INSERT INTO machine(room, id, devices) VALUES(NEW.room, substr(NEW.id, 1, 16), 1)
    ON CONFLICT DO UPDATE SET devices = devices + 1;
END;
CREATE TRIGGER IF NOT EXISTS device_gone AFTER DELETE ON device BEGIN
  UPDATE room SET strangers = strangers - (OLD.given = 0), givers = givers - (OLD.given > 0) WHERE code = OLD.room;
  UPDATE machine SET devices = devices - 1 WHERE room = OLD.room AND id = substr(OLD.id, 1, 16);
END;
CREATE TRIGGER IF NOT EXISTS device_gave AFTER UPDATE OF given, loose ON device
WHEN (NEW.given > 0) <> (OLD.given > 0) OR NEW.loose <> OLD.loose BEGIN
  UPDATE room SET givers = givers + (NEW.given > 0) - (OLD.given > 0),
    strangers = strangers - (NEW.given > 0) + (OLD.given > 0), loose = loose + NEW.loose - OLD.loose
    WHERE code = NEW.room;
END;

-- Who holds a unit, to compute or to check it, is the device that has it.
CREATE TRIGGER IF NOT EXISTS unit_held AFTER UPDATE OF holder ON unit WHEN NEW.holder <> '' BEGIN
  UPDATE device SET unit = NEW.id WHERE room = NEW.room AND id = NEW.holder;
END;

-- A unit that is computed has the time of its result in until.
CREATE TRIGGER IF NOT EXISTS unit_put AFTER INSERT ON unit BEGIN
  UPDATE room SET units = units + 1, bytes = bytes + length(NEW.own) WHERE code = NEW.room;
END;
CREATE TRIGGER IF NOT EXISTS unit_computed AFTER UPDATE OF done, look ON unit
WHEN NEW.done <> OLD.done OR (NEW.look = 1) <> (OLD.look = 1) BEGIN
  UPDATE room SET done = done + (NEW.done = 1) - (OLD.done = 1), units = units - (NEW.done = 2) + (OLD.done = 2),
    looks = looks + (NEW.look = 1) - (OLD.look = 1),
    took = took + (NEW.done = 1 AND OLD.done <> 1) * max(0, NEW.until - NEW.since)
    WHERE code = NEW.room;
END;

-- The device that gave a result is free.
CREATE TRIGGER IF NOT EXISTS result_came AFTER INSERT ON result BEGIN
  UPDATE device SET given = given + 1, unit = '', loose = 0
    WHERE room = NEW.room AND id = NEW.device AND unit = NEW.unit;
END;
