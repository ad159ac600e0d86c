import type { APIResponse, Page } from '@playwright/test'
import type { App } from './start-app.ts'

/** Makes one decision as a script does. @returns the server's answer to it. */
export async function decideByScript(
  page: Page,
  app: App,
  asked: Record<string, unknown>,
  reason: string | null,
): Promise<APIResponse> {
  const headers = { origin: app.appUrl }
  const preview = await (await page.request.post('/api/review/preview', { headers, data: { asked } })).json()
  const { hash, at, lastDecision } = preview
  return page.request.post('/api/review/decide', { headers, data: { asked, hash, at, lastDecision, reason } })
}

/** The keys of so many lines that are charged too much, in euros. */
export async function findKeys(app: App, count: number): Promise<string[]> {
  const lines = await app.query(
    `select connection_id || '~' || id as key from line
     where currency = 'EUR' and finding_count > 0 and total_amount > 0 and difference > 0 order by id limit ${count}`,
  )
  return lines.map(({ key }) => String(key))
}
