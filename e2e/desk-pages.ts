/** Every page of the product, for stories that walk over all of them. */
import { expect, type Page } from '@playwright/test'
import { PAGES } from '../app/test-support/test-routes.ts'
import type { App } from './start-app.ts'

const listPaths = (isOpen: boolean) =>
  Object.entries(PAGES)
    .filter(([, { least }]) => (least === 'anyone') === isOpen)
    .map(([path]) => path)

/** The pages that need no session. */
export const OPEN_PAGES = listPaths(true)

/** The address of every page that needs a session, with what the first account has. */
export async function listDeskPages(app: App): Promise<string[]> {
  const [found] = await app.query(
    `select connection_id as connection, invoice_serial_number as serial,
       (select min(trip_id) from line where missing_since is null) as trip
     from line group by 1, 2 order by count(*) desc, 2 limit 1`,
  )
  const { connection, serial, trip } = found as { connection: string; serial: string; trip: string }
  return listPaths(false).map((path) =>
    path
      .replace('/trips/[id]', `/trips/${encodeURIComponent(trip)}`)
      .replace(/\[id\]|\[connection\]/, connection)
      .replace('[serial]', encodeURIComponent(serial)),
  )
}

/** Opens a page and waits until it is ready: its skeleton is gone. */
export async function openReady(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.locator('.skeleton-page')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}
