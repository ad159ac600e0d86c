-- Reasons that an organization keeps, and what a decision says in words (docs/decisions/061-own-reasons.md).
SELECT set_config('tieout.scope', 'system', true);

-- One document of an organization: its order is its order, and who changes it names the revision that they saw. Without a row
-- the built-in reasons hold.
CREATE TABLE reason_list (
  organization_id  uuid PRIMARY KEY REFERENCES organization(id),
  revision         integer NOT NULL,
  reasons          jsonb NOT NULL CHECK (jsonb_typeof(reasons) = 'array')
);
ALTER TABLE reason_list ENABLE ROW LEVEL SECURITY;
ALTER TABLE reason_list FORCE ROW LEVEL SECURITY;
CREATE POLICY organization_only ON reason_list
  USING (organization_id = (SELECT nullif(current_setting('tieout.organization_id', true), '')::uuid)
         OR (SELECT current_setting('tieout.scope', true)) = 'system');

ALTER TABLE decision
  -- the reason as it read when it was decided
  ADD COLUMN reason_words text,
  -- all lines of the list, only these, or all but these; null: not known of decisions made before this was kept, and of an undo
  ADD COLUMN pick text CHECK (pick IN ('all', 'only', 'except')),
  -- `<connection id>~<line id>`, as they were named
  ADD COLUMN picked text[],
  ADD CHECK ((picked IS NOT NULL) = (coalesce(pick, 'all') <> 'all'));

-- Until now the words of a code were these.
UPDATE decision d SET reason_words = w.words
FROM (VALUES
  ('accept', 'as_explained', 'As explained on each line'),
  ('accept', 'agreed', 'Agreed with the platform'),
  ('accept', 'too_small', 'Too small to follow up'),
  ('accept', 'elsewhere', 'Handled elsewhere'),
  ('accept', 'other', 'Another reason'),
  ('dispute', 'too_much', 'More than was agreed'),
  ('dispute', 'wrong_tax', 'Wrong tax'),
  ('dispute', 'not_ours', 'Not booked by us'),
  ('dispute', 'twice', 'Charged twice'),
  ('dispute', 'other', 'Another reason')) AS w (kind, code, words)
WHERE d.kind = w.kind AND d.reason_code = w.code;
