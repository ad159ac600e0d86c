-- What is due stands in its own rows: a worker takes a run, and nothing else says whose it is (docs/decisions/044-one-queue.md).
DROP SCHEMA IF EXISTS pgboss CASCADE;
