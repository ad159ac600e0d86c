/**
 * The doors of lib/auth/doors/desk-page.ts, with what each page shows while its answer takes long.
 */

import type { ReactNode } from 'react'
import { toAccountName } from '#components/connections/connection-state.ts'
import { SaysLinks } from '#components/connections/link-banner.tsx'
import { LoadingPage } from '#components/states/loading-page.tsx'
import { withSkeleton } from '#components/states/with-skeleton.tsx'
import * as doors from '#lib/auth/doors/desk-page.ts'
import type { Permission } from '#lib/auth/permissions.ts'
import { leadToOwnScope } from './own-scope.ts'

const OF_THE_DESK = {
  '/': () => <LoadingPage title="Overview" hasTotals hasSide rowHeight="tall" />,
  '/invoices': () => <LoadingPage title="Invoices" hasFilters hasTotals />,
  '/invoices/[connection]/[serial]': ({ serial }) => (
    <LoadingPage parent="Invoices" title={<bdi>{serial}</bdi>} hasTotals />
  ),
  '/trips/[id]': ({ id }) => <LoadingPage parent="Trips" title={<bdi>{id}</bdi>} hasTotals />,
  '/review': () => <LoadingPage title="Review" hasFilters hasTotals />,
  '/decisions': () => <LoadingPage parent="Review" title="Decisions" rowHeight="tall" />,
  '/digest': () => <LoadingPage title="Digest" rowHeight="tall" />,
  '/lines': () => <LoadingPage title="Lines" hasFilters hasTotals />,
  '/groups': () => <LoadingPage title="Groups" hasFilters />,
  '/changes': () => <LoadingPage title="Changes" hasFilters hasTotals rowHeight="tall" />,
  '/changes/bridge': () => <LoadingPage parent="Changes" title="Bridge" hasFilters hasTotals rowHeight="tall" />,
  '/close': () => <LoadingPage title="Close" hasSide rowHeight="tall" />,
  '/close/rules': () => <LoadingPage parent="Close" title="Rules" rowHeight="tall" />,
  '/checks': () => <LoadingPage title="Checks" rowHeight="tall" />,
  '/connections': () => <LoadingPage title="Connections" rowHeight="tall" />,
  '/account': () => <LoadingPage title="Your account" rowHeight="tall" />,
  '/people': () => <LoadingPage title="People" rowHeight="tall" />,
  '/settings': () => <LoadingPage title="Settings" rowHeight="tall" />,
  '/audit': () => <LoadingPage title="Audit" hasFilters />,
  '/rejected': () => <LoadingPage title="Not imported" hasTotals rowHeight="tall" />,
} satisfies Record<string, (params: Record<string, string>) => ReactNode>

const OF_A_CONNECTION = {
  '/connections/[id]': (name) => <LoadingPage parent="Connections" title={name} rowHeight="tall" />,
  '/connections/[id]/answers': (name) => <LoadingPage parent={name} title="Failed API calls" />,
  '/connections/[id]/coverage': (name) => (
    <LoadingPage parent={name} title={<>Coverage of {name}</>} hasTotals rowHeight="tall" />
  ),
  '/connections/[id]/drift': (name) => <LoadingPage parent={name} title="Interface" />,
  '/connections/[id]/loss': (name) => <LoadingPage parent={name} title="Accept a removal" rowHeight="tall" />,
  '/connections/[id]/scim': (name) => <LoadingPage parent={name} title="SCIM discovery" />,
} satisfies Record<`/connections/[id]${string}`, (name: ReactNode) => ReactNode>

/** `deskPage` of lib/auth; it does not compile for a path without a skeleton. */
export function deskPage<const Path extends keyof typeof OF_THE_DESK>(
  { path, may }: { path: Path; may: Permission },
  render: (visit: doors.Visit<Path>) => Promise<ReactNode>,
): doors.DeclaredPage<Path> {
  const skeleton: (params: Record<string, string>) => ReactNode = OF_THE_DESK[path]
  const show = withSkeleton(({ params }: doors.Visit<Path>) => skeleton(params))
  return doors.deskPage(
    {
      path,
      may,
      show: async (visit, page) => {
        await leadToOwnScope(path, visit)
        return show(visit, page)
      },
    },
    render,
  )
}

/** `connectionPage` of lib/auth; it does not compile for a path without a skeleton. */
export function connectionPage<const Path extends keyof typeof OF_A_CONNECTION>(
  { path, may }: { path: Path; may: Permission },
  render: (visit: doors.ConnectionVisit) => Promise<ReactNode>,
): doors.DeclaredPage<Path> {
  const skeleton: (name: ReactNode) => ReactNode = OF_A_CONNECTION[path]
  const show = withSkeleton(({ connection }: doors.ConnectionVisit) => skeleton(<bdi>{toAccountName(connection)}</bdi>))
  return doors.connectionPage({ path, may, show }, async (visit) => (
    <>
      <SaysLinks />
      {await render(visit)}
    </>
  ))
}
