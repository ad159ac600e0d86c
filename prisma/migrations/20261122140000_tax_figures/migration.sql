SELECT set_config('tieout.scope', 'system', true);

-- The taxes that an invoice states beside those of its lines, as texts that are equal exactly when the figures are. Reading
-- them out of each invoice's JSON took most of the time of the coverage page (docs/decisions/016-roll-ups.md). The bodies
-- are parsed here, so that a restored database computes them whatever its search path.
CREATE FUNCTION to_tax_figures(rate numeric, tax numeric, total numeric, regime text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(trim_scale(rate)::text, '') || ' ' || coalesce(trim_scale(tax)::text, '') || ' '
    || coalesce(trim_scale(total)::text, '') || coalesce(' ' || regime, '');

-- A repeated one gets its number: whatever has each of these texts, and no more, has the same taxes.
CREATE FUNCTION to_stated_taxes(taxes_summary json) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT coalesce(array_agg(CASE number WHEN 1 THEN figures ELSE number || ' times ' || figures END), '{}')
  FROM (SELECT figures, row_number() OVER (PARTITION BY figures) AS number
        FROM json_to_recordset(taxes_summary) s ("taxRegime" text, "taxPercentage" numeric, "taxAmount" numeric, total numeric),
             LATERAL to_tax_figures(s."taxPercentage", s."taxAmount", s.total, s."taxRegime") figures) numbered;
END;

ALTER TABLE invoice ADD COLUMN stated_taxes text[] NOT NULL GENERATED ALWAYS AS (to_stated_taxes(taxes_summary)) STORED;
ALTER TABLE invoice_rollup ADD COLUMN tax_figures text NOT NULL
  GENERATED ALWAYS AS (to_tax_figures(tax_percentage, tax_amount, total_amount, tax_regime)) STORED;
ANALYZE invoice, invoice_rollup;
