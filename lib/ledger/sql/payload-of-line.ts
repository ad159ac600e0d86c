/** FROM, after `line l join`: the record `p.raw` as the platform sent it. */
export const PAYLOAD_OF_LINE = `line_payload p
  on p.organization_id = l.organization_id and p.connection_id = l.connection_id and p.line_id = l.id`
