/** How figures, days and moments are written: for one person, and at first for an organization. */
import * as z from 'zod'
import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Sql, withTenant } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { isDateFormat, isNumberFormat } from '#lib/reconcile/formats.ts'
import { isTimeZone } from '#lib/reconcile/own-formats/browser-formats.ts'
import { AS_ORGANIZATION, type StoredFormats } from '#lib/reconcile/own-formats/format-choices.ts'

/** A form sends an empty text for no choice. */
const choice = (isKnown: (text: string) => boolean) =>
  z.string().transform((text, context) => {
    if (text === '') return null
    if (!isKnown(text)) context.addIssue({ code: 'custom', message: 'no such format' })
    return text
  })

/** What an organization may have. */
export const organizationFormats = z.object({
  numberFormat: choice(isNumberFormat),
  dateFormat: choice(isDateFormat),
  timeZone: choice(isTimeZone),
})

/** What a person may choose: that of the organization too. */
export const ownFormats = z.object({
  numberFormat: choice((text) => text === AS_ORGANIZATION || isNumberFormat(text)),
  dateFormat: choice((text) => text === AS_ORGANIZATION || isDateFormat(text)),
  timeZone: choice((text) => text === AS_ORGANIZATION || isTimeZone(text)),
})

/** Sets a person's formats, from their next page on. */
export async function setOwnFormats(
  organizationId: OrganizationId,
  userId: UserId,
  after: StoredFormats,
  actor: Actor,
): Promise<void> {
  await withTenant(organizationId, async (records, sql) => {
    const text = `select email, ${FORMATS} from app_user where organization_id = $1 and id = $2 for no key update`
    const was = await lockFormats<{ email: string }>(sql, text, [organizationId, userId])
    if (was === null) return
    const { email, ...before } = was
    if (isSame(before, after)) return
    await records.user.updateMany({ where: { organizationId, id: userId }, data: after })
    const subject = { kind: 'person', id: userId, name: email }
    await recordAudit(sql, organizationId, { actor, action: 'people.formats', subject, before, after })
  })
}

/** Sets what people see who chose nothing and whose browser says nothing, or who chose this. */
export async function setOrganizationFormats(
  organizationId: OrganizationId,
  after: StoredFormats,
  actor: Actor,
): Promise<void> {
  await withTenant(organizationId, async (records, sql) => {
    const text = `select ${FORMATS} from organization where id = $1 for no key update`
    const before = await lockFormats(sql, text, [organizationId])
    if (before === null || isSame(before, after)) return
    await records.organization.updateMany({ where: { id: organizationId }, data: after })
    const subject = { kind: 'organization', id: organizationId }
    await recordAudit(sql, organizationId, { actor, action: 'organization.formats', subject, before, after })
  })
}

const FORMATS = 'number_format as "numberFormat", date_format as "dateFormat", time_zone as "timeZone"'

/** What is stored, which nobody changes before this transaction ends; null when the row is gone. */
async function lockFormats<More extends object = object>(
  sql: Sql,
  text: string,
  values: unknown[],
): Promise<(StoredFormats & More) | null> {
  const [found] = await sql<StoredFormats & More>(text, values)
  return found ?? null
}

function isSame(before: StoredFormats, after: StoredFormats): boolean {
  const names = ['numberFormat', 'dateFormat', 'timeZone'] as const
  return names.every((name) => before[name] === after[name])
}
