-- With the notes; of them only what a search compares besides the bits.
CREATE FUNCTION refresh_statistics() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  ANALYZE public.line (organization_id, connection_id, id, invoice_serial_number, profile_id, profile_name, invoice_mode,
      invoice_status, issuing_date, currency, expense_date, total_amount, trip_id, trip_name, service, related_vertical, cost_center,
      tax_regime, tax_percentage, finding_count, finding_codes, first_seen_at, changed_at, missing_since, text_hash, proof_version),
    public.line_payload (organization_id, connection_id, line_id), public.invoice, public.profile, public.rejected_line,
    public.line_rollup, public.trip_rollup, public.invoice_rollup,
    public.invoice_words (organization_id, connection_id, serial_number, version, line_count);
END $$;
REVOKE ALL ON FUNCTION refresh_statistics() FROM PUBLIC;

-- Where lines stand, after a large decision (docs/decisions/072-statistics-soon.md).
CREATE FUNCTION refresh_review_statistics() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  ANALYZE public.line_review (organization_id, connection_id, line_id, state, decision, suspended_at);
END $$;
REVOKE ALL ON FUNCTION refresh_review_statistics() FROM PUBLIC;
