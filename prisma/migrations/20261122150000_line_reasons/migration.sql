-- Why a line does not add up (decision 019). Null: no finding, or nobody has looked yet; the worker looks at those.
ALTER TABLE line ADD COLUMN explained_codes text[];
ALTER TABLE line ADD COLUMN reason_codes text[];
