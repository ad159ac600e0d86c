-- How a person reads figures, days and moments, and what an organization has for who chose nothing
-- (docs/decisions/051-own-formats.md). Null is no choice. The names are those of lib/reconcile/formats.ts; one that a
-- version does not know counts there as no choice, so that a new format needs no change here. A time zone is a name of
-- the IANA database, which the web server checks: PostgreSQL may know others.
ALTER TABLE organization
  ADD COLUMN number_format text,
  ADD COLUMN date_format text,
  ADD COLUMN time_zone text;

-- Besides: 'organization', for what the organization has.
ALTER TABLE app_user
  ADD COLUMN number_format text,
  ADD COLUMN date_format text,
  ADD COLUMN time_zone text;
