-- Whether the organization has a line of a trip, or of a group by one of the keys that the roll-ups tell apart, be it one that
-- the platform has removed. What people say about one is there as long as this is so: who writes asks it
-- (lib/talk/find-subject.ts), and so does what deletes an account's data (lib/connections/life/disconnect-erase.ts).
CREATE FUNCTION has_lines_to_talk_of(organization uuid, kind text, key text) RETURNS boolean LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_custom_plan AS $$
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

-- Deletes what was said about trips and groups of which the organization has no line any more. One after the other: who asks a
-- cluster about a thread's lines within its DELETE is refused.
CREATE FUNCTION forget_talk_without_lines(organization uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  said record;
BEGIN
  FOR said IN SELECT id, kind, key FROM thread WHERE organization_id = organization AND connection_id IS NULL LOOP
    CONTINUE WHEN has_lines_to_talk_of(organization, said.kind, said.key);
    DELETE FROM thread WHERE organization_id = organization AND id = said.id;
  END LOOP;
END $$;
