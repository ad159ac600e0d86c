-- How often the connection is synced by itself, in minutes; an admin chooses.
ALTER TABLE connection ADD COLUMN sync_every_minutes integer NOT NULL DEFAULT 60
  CHECK (sync_every_minutes BETWEEN 5 AND 10080);
