-- Seals: what is signed, as a hash (docs/decisions/062-sign-off.md). lib/reconcile/close/seal.ts says the same of the same data,
-- and lib/ledger/close/seal.test.ts compares the two.

-- A field with its length in bytes, as audit_text has it; a number without ending zeros. Each number is cast before it is joined:
-- only then, and as convert_to is stable, the planner takes these into their callers: several times as fast.
CREATE FUNCTION seal_field(field text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(octet_length(convert_to(field, 'UTF8'))::text || ':' || field, '-')
$$;

CREATE FUNCTION seal_number(value numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(length(trim_scale(value)::text)::text || ':' || trim_scale(value)::text, '-')
$$;

-- `beside`: found_beside; `review` and `decision`: of line_review, null of an open line.
CREATE FUNCTION seal_of_line(l public.line, beside text, review text, decision bigint) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT sha256(convert_to('18:tieout-seal-1 line,' || seal_field(l.id) || ',' || seal_field(l.currency) || ',' || seal_number(l.quantity)
    || ',' || seal_number(l.unit_price) || ',' || seal_number(l.non_taxable_unit_price) || ',' || seal_number(l.tax_percentage)
    || ',' || seal_field(l.tax_regime) || ',' || seal_number(l.tax_amount) || ',' || seal_number(l.total_amount)
    || ',' || seal_field(array_to_string(l.finding_codes, ' ')) || ',' || seal_field(array_to_string(coalesce(l.explained_codes, '{}'), ' '))
    || CASE WHEN l.missing_since IS NULL THEN ',4:held,' ELSE ',4:gone,' END || seal_field(beside)
    || ',' || seal_field(coalesce(review, 'open')) || ',' || seal_field(decision::text), 'UTF8'))
$$;

-- `leaves`: `,64:<hex>` of each line in order of id; `seen`: writeSeen of its proof where that has a finding or a note.
CREATE FUNCTION seal_of_invoice(i invoice, seen text, review text, decision bigint, proof smallint, checks bigint, habits bigint,
                                line_count bigint, leaves text) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT sha256(convert_to('21:tieout-seal-1 invoice,' || seal_field(i.connection_id::text) || ',' || seal_field(i.serial_number)
    || ',' || seal_field(i.profile_id) || ',' || seal_field(i.mode)
    || ',' || seal_field(i.issuing_date::text) || ',' || seal_field(i.due_date::text)
    || ',' || seal_field(i.currency) || ',' || seal_number(i.total) || ',' || seal_number(i.credit_used)
    || ',' || seal_field(i.stated_line_count::text) || ',' || seal_field(audit_text(VARIADIC i.stated_taxes))
    || CASE WHEN i.missing_since IS NULL THEN ',4:held,' ELSE ',4:gone,' END || seal_field(seen)
    || ',' || seal_field(coalesce(review, 'open')) || ',' || seal_field(decision::text)
    || ',' || seal_number(proof) || ',' || seal_number(checks) || ',' || seal_number(habits) || ',' || seal_number(line_count)
    || leaves, 'UTF8'))
$$;
