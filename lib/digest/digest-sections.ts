/** The words of a digest, in the formats of whoever reads it: page and mail show the same. Pure. */
import type { FallSum } from '#lib/ledger/model.ts'
import { formatAmount, formatCount, formatDay } from '#lib/reconcile/format.ts'
import { formatDayOf, formatMoment } from '#lib/reconcile/moment.ts'
import { type DecimalText, isZeroDecimal, sumDecimals } from '#lib/reconcile/money.ts'
import { CAUSE_WORDS } from '#lib/reconcile/review/review-state.ts'
import type { Subject } from '#lib/talk/model.ts'
import { toFallsPath, toLinePath, toNewMoneyPath, toSubjectPath } from './digest-queries.ts'
import type { Digest, DigestRow, DigestSection, DyingConnection, Falls, Piece, Span } from './model.ts'
import { daysBetween } from './period.ts'

/** The rows of a section that are shown; how many more there are is said. */
const MOST_ROWS = 20

/** What a digest says, section by section; none for what there is nothing of. */
export function toDigestSections(digest: Digest): DigestSection[] {
  const sections: DigestSection[] = [
    toAssigned(digest),
    toMentions(digest),
    toNewMoney(digest),
    toFallen(digest.falls, digest.span),
    toConnections(digest.connections),
  ]
  return sections
    .filter(({ rows }) => rows.length > 0)
    .map((section) => ({
      ...section,
      rows: section.rows.slice(0, MOST_ROWS),
      more: Math.max(0, section.rows.length - MOST_ROWS),
    }))
}

const KIND_WORDS: Record<Subject['kind'], string> = {
  line: 'Line',
  invoice: 'Invoice',
  trip: 'Trip',
  group: 'Group',
  period: 'Month',
}

function toAssigned({ assignments, today }: Digest): DigestSection {
  const overdue = assignments.filter(({ dueOn }) => dueOn !== null && dueOn < today).length
  return {
    key: 'assigned',
    title: `${formatCount(assignments.length)} assigned to you${overdue > 0 ? `, ${formatCount(overdue)} overdue` : ''}`,
    rows: assignments.map(({ subject, label, byName, dueOn, at }) => ({
      key: `${subject.kind} ${subject.connectionId} ${subject.key}`,
      label: [`${KIND_WORDS[subject.kind]} `, { name: label }],
      detail: [`${toDueWords(dueOn, today)}; given by `, { name: byName }, ` on ${formatDayOf(at)}`],
      href: toSubjectPath(subject),
      isUrgent: dueOn !== null && dueOn <= today,
    })),
    more: 0,
  }
}

function toDueWords(dueOn: Digest['today'] | null, today: Digest['today']): string {
  if (dueOn === null) return 'no day set'
  const late = daysBetween(dueOn, today)
  if (late === 0) return 'due today'
  return late > 0
    ? `due ${formatDay(dueOn)}, ${late === 1 ? 'a day' : `${formatCount(late)} days`} overdue`
    : `due ${formatDay(dueOn)}`
}

function toMentions({ mentions }: Digest): DigestSection {
  return {
    key: 'mentions',
    title: `${plural(mentions.length, 'comment names', 'comments name')} you, unread`,
    rows: mentions.map(({ subject, label, messageId, byName, at }) => ({
      key: messageId,
      label: [`${KIND_WORDS[subject.kind]} `, { name: label }],
      detail: [{ name: byName }, `, ${formatMoment(at)}`],
      href: toSubjectPath(subject),
      isUrgent: false,
    })),
    more: 0,
  }
}

function toNewMoney({ newMoney, span }: Digest): DigestSection {
  const lines = newMoney.reduce((sum, { lineCount }) => sum + lineCount, 0)
  return {
    key: 'new-money',
    title: `${plural(lines, 'new line')} with unexplained differences`,
    rows: newMoney.map(({ currency, lineCount, overcharged, undercharged }) => {
      const sides = [
        isZeroDecimal(overcharged) ? '' : `overcharged ${money(overcharged, currency)}`,
        isZeroDecimal(undercharged) ? '' : `undercharged ${money(undercharged, currency)}`,
      ].filter((side) => side !== '')
      return {
        key: currency,
        label: [`${plural(lineCount, 'line')} in ${currency}`],
        detail: [sides.length === 0 ? 'total and tax cancel' : sides.join(', ')],
        href: toNewMoneyPath(span, { currency }),
        isUrgent: false,
      }
    }),
    more: 0,
  }
}

function toFallen({ here, gone, lines }: Falls, span: Span): DigestSection {
  const all = [...here, ...gone].reduce((sum, { lineCount }) => sum + lineCount, 0)
  const sums = [here, gone].flatMap((of, at) =>
    [...new Set(of.map(({ currency }) => currency))].map((currency) =>
      toSumRow(
        of.filter((each) => each.currency === currency),
        currency,
        at === 1,
        span,
      ),
    ),
  )
  const single = lines.map(
    ({ connectionId, id, description, decision, isGone, ...moved }): DigestRow => ({
      key: `${connectionId}~${id}`,
      label: ['Line ', { name: description || id }],
      detail: [
        `decision ${decision}: ${money(moved.amountBefore, moved.currencyBefore)} then, ${
          isGone ? 'removed now' : `${money(moved.amountNow, moved.currency)} now`
        }; ${CAUSE_WORDS[moved.cause]}`,
      ],
      href: toLinePath(connectionId, id, isGone),
      isUrgent: false,
    }),
  )
  const title = `${plural(all, 'decided line has', 'decided lines have')} changed since`
  return { key: 'fallen', title, rows: [...sums, ...single], more: 0 }
}

/** The lines of one currency: what they were when decided, what they are, and why. */
function toSumRow(falls: FallSum[], currency: string, isGone: boolean, span: Span): DigestRow {
  const lineCount = falls.reduce((sum, each) => sum + each.lineCount, 0)
  const before = [...new Set(falls.map(({ currencyBefore }) => currencyBefore))].map((each) =>
    money(
      sumDecimals(falls.filter(({ currencyBefore }) => currencyBefore === each).map((fall) => fall.amountBefore)),
      each,
    ),
  )
  const causes = [...new Set(falls.map(({ cause }) => cause))].map((cause) => {
    const of = falls.filter((each) => each.cause === cause).reduce((sum, each) => sum + each.lineCount, 0)
    return of === lineCount ? CAUSE_WORDS[cause] : `${CAUSE_WORDS[cause]} (${formatCount(of)})`
  })
  const now = isGone ? '' : `, ${money(sumDecimals(falls.map(({ amountNow }) => amountNow)), currency)} now`
  return {
    key: `${isGone ? 'gone' : 'here'} ${currency}`,
    label: [`${plural(lineCount, 'line')} in ${currency}${isGone ? ' that the platform removed' : ''}`],
    detail: [`${before.join(' · ')} when decided${now}; ${causes.join(', ')}`],
    href: toFallsPath(span, { currency, goneOnly: isGone }),
    isUrgent: false,
  }
}

function toConnections(connections: DyingConnection[]): DigestSection {
  return {
    key: 'connections',
    title: `${plural(connections.length, 'connection needs', 'connections need')} you`,
    rows: connections.map(({ id, name, endsAt }): DigestRow => {
      const end: Piece[] =
        endsAt === null
          ? ['the link has ended; reconnect it']
          : [`the link ends on ${formatMoment(endsAt, { withZone: true })}; reconnect it before`]
      return { key: id, label: [{ name }], detail: end, href: `/connections/${id}`, isUrgent: endsAt === null }
    }),
    more: 0,
  }
}

function money(amount: DecimalText, currency: string): string {
  return `${currency}\u00a0${formatAmount(amount, currency)}`
}

function plural(of: number, one: string, many = `${one}s`): string {
  return `${formatCount(of)} ${of === 1 ? one : many}`
}
