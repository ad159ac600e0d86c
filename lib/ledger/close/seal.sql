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

-- What is sealed comes as single values: on a cluster a row is of a part of its table, which no function is made for.
-- `beside`: all that said_beside says; `review` and `decision`: of line_review, null of an open line.
CREATE FUNCTION seal_of_line(id text, currency text, quantity numeric, unit_price numeric, non_taxable_unit_price numeric,
                             tax_percentage numeric, tax_regime text, tax_amount numeric, total_amount numeric, finding_codes text[],
                             explained_codes text[], is_gone boolean, beside text, review text, decision bigint) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT sha256(convert_to('18:tieout-seal-1 line,' || seal_field(id) || ',' || seal_field(currency) || ',' || seal_number(quantity)
    || ',' || seal_number(unit_price) || ',' || seal_number(non_taxable_unit_price) || ',' || seal_number(tax_percentage)
    || ',' || seal_field(tax_regime) || ',' || seal_number(tax_amount) || ',' || seal_number(total_amount)
    || ',' || seal_field(array_to_string(finding_codes, ' ')) || ',' || seal_field(array_to_string(coalesce(explained_codes, '{}'), ' '))
    || CASE WHEN is_gone THEN ',4:gone,' ELSE ',4:held,' END || seal_field(beside)
    || ',' || seal_field(coalesce(review, 'open')) || ',' || seal_field(decision::text), 'UTF8'))
$$;

-- `leaves`: `,64:<hex>` of each line in order of id; `seen`: writeSeen of its proof where that has a finding or a note.
CREATE FUNCTION seal_of_invoice(connection_id uuid, serial_number text, profile_id text, mode text, issuing_date date, due_date date,
                                currency text, total numeric, credit_used numeric, stated_line_count integer, stated_taxes text[],
                                is_gone boolean, seen text, review text, decision bigint, proof smallint, checks bigint, habits bigint,
                                line_count bigint, leaves text) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT sha256(convert_to('21:tieout-seal-1 invoice,' || seal_field(connection_id::text) || ',' || seal_field(serial_number)
    || ',' || seal_field(profile_id) || ',' || seal_field(mode)
    || ',' || seal_field(issuing_date::text) || ',' || seal_field(due_date::text)
    || ',' || seal_field(currency) || ',' || seal_number(total) || ',' || seal_number(credit_used)
    || ',' || seal_field(stated_line_count::text) || ',' || seal_field(audit_text(VARIADIC stated_taxes))
    || CASE WHEN is_gone THEN ',4:gone,' ELSE ',4:held,' END || seal_field(seen)
    || ',' || seal_field(coalesce(review, 'open')) || ',' || seal_field(decision::text)
    || ',' || seal_number(proof) || ',' || seal_number(checks) || ',' || seal_number(habits) || ',' || seal_number(line_count)
    || leaves, 'UTF8'))
$$;
