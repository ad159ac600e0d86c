-- The list by amount and by trip begins at once: in the order of the index, the last keys sorted for the page alone. The
-- beginning of a trip's name is enough for an order, and an index takes no long texts.
CREATE INDEX line_by_amount ON line (organization_id, total_amount DESC) WHERE missing_since IS NULL;
CREATE INDEX line_by_trip_name ON line (organization_id, (left(trip_name, 100)), trip_id) WHERE missing_since IS NULL;

-- The lines of a cost center are a few in a hundred, and the filter that people set most.
CREATE INDEX line_by_cost_center ON line (organization_id, cost_center) WHERE missing_since IS NULL;
