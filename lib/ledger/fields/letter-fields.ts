/** SQL about letters to the platform, the same everywhere (docs/decisions/057-disputes.md). */

/** A letter of `dispute_letter s`, as a list shows it. */
const MARK = `json_build_object('daysAgo', greatest(0, now()::date - s.sent_on), 'name', s.actor_name)`

/**
 * The last letter about a dispute (`line_review v`) that nobody took back, or null. A line that is
 * disputed anew, by another decision, has had none.
 */
export const LAST_LETTER = `(
  select ${MARK} from dispute_letter_line n join dispute_letter s on s.organization_id = n.organization_id and s.id = n.letter_id
  where n.organization_id = v.organization_id and n.connection_id = v.connection_id and n.line_id = v.line_id and n.decision = v.decision
    and s.withdrawn_at is null
  order by s.sent_on desc, s.marked_at desc limit 1)`

/** Whole days since somebody decided (`decision d`). */
export const DAYS_SINCE_DECIDED = `(now()::date - d.decided_at::date)`
