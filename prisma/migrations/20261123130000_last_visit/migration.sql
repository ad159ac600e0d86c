-- The day a user was last here, and the one before it: overview says what has changed since. Days in UTC, as everywhere.
ALTER TABLE app_user ADD COLUMN seen_on date, ADD COLUMN seen_before date;
