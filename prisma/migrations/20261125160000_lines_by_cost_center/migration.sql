-- Finds the lines of a cost center, and of one service in it: no roll-up tells both apart, and the list's index would be read
-- from end to end. Few keys with many lines each: a million lines take 9 MB and 4 s to make.
CREATE INDEX line_by_cost_center ON line (organization_id, cost_center, service) WHERE missing_since IS NULL;
