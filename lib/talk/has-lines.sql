-- Whether the organization has a line of a trip, or of a group by one of the keys that the roll-ups tell apart, be it one that
-- the platform has removed. What people say about one is there as long as this is so: who writes asks it
-- (lib/talk/find-subject.ts), and so does what deletes an account's data (lib/connections/life/disconnect-erase.ts).
CREATE FUNCTION has_lines_to_talk_of(organization uuid, kind text, key text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN CASE kind
    WHEN 'trip' THEN EXISTS (SELECT FROM line l WHERE l.organization_id = organization AND l.trip_id = key)
    -- the roll-ups have what the platform has; what it removed is little, and has an index
    WHEN 'group' THEN EXISTS (
      SELECT FROM line_rollup g WHERE g.organization_id = organization
        AND key IN ('cost_center=' || g.cost_center, 'vertical=' || g.related_vertical, 'service=' || g.service,
                    'profile=' || g.profile_id, 'tax_regime=' || g.tax_regime)
    ) OR EXISTS (
      SELECT FROM line g WHERE g.organization_id = organization AND g.missing_since IS NOT NULL
        AND key IN ('cost_center=' || g.cost_center, 'vertical=' || g.related_vertical, 'service=' || g.service,
                    'profile=' || g.profile_id, 'tax_regime=' || g.tax_regime))
    ELSE false END;
END $$;
