import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { toAccountName } from '../../../../../components/connections/connection-state.ts'
import { PageHeader } from '../../../../../components/frame/page-header.tsx'
import { Banner } from '../../../../../components/primitives/banner.tsx'
import { ChangeList } from '../../../../../components/scim/change-list.tsx'
import { CheckNow } from '../../../../../components/scim/check-now.client.tsx'
import { CheckProgress } from '../../../../../components/scim/check-progress.client.tsx'
import { EndpointTable } from '../../../../../components/scim/endpoint-table.tsx'
import { KeyPanel } from '../../../../../components/scim/key-panel.tsx'
import { ReceivedAnswers } from '../../../../../components/scim/received-answers.tsx'
import { ResourceTypeList } from '../../../../../components/scim/resource-type-list.tsx'
import { SchemaSection } from '../../../../../components/scim/schema-section.tsx'
import { ServiceConfig } from '../../../../../components/scim/service-config.tsx'
import { RelativeTime } from '../../../../../components/text/relative-time.client.tsx'
import { connectionPage } from '../../../../../lib/auth/desk-page.ts'
import { hasRole } from '../../../../../lib/auth/model.ts'
import { getScimDiscovery, type ScimCheckState } from '../../../../../lib/connections/scim-discovery.ts'
import { toScimFindings } from '../../../../../lib/connections/scim-findings.ts'
import { isDisconnected } from '../../../../../lib/connections/states.ts'
import { settings } from '../../../../../lib/env.ts'
import { readText } from '../../../../../lib/ledger/search-params.ts'

export const metadata: Metadata = { title: 'SCIM discovery' }

export default connectionPage({ path: '/connections/[id]/scim', role: 'viewer' }, async (visit) => {
  const { session, connection, searchParams } = visit
  const search = readText(searchParams, 'q')
  const path = `/connections/${connection.id}/scim`
  const discovery = await getScimDiscovery(session.organizationId, connection.id)
  if (discovery === null) notFound()
  const now = Date.now()
  const isAdmin = hasRole(session.role, 'admin')
  const isConfigured = (settings().partner?.scimBaseUrl ?? null) !== null
  const { key, check, endpoints } = discovery
  const isEnded = isDisconnected(connection.state)
  const isUnderWay = check !== null && check.finishedAt === null
  const lastCheckedAt =
    endpoints
      .map((endpoint) => endpoint.lastCheckedAt)
      .sort()
      .at(-1) ?? null
  const findings = toScimFindings(endpoints)
  const isKnown = findings.config !== null || findings.types !== null || findings.core !== null
  return (
    <>
      <PageHeader
        before={
          <Link href={`/connections/${connection.id}`} className="text-[13px] text-ink2 hover:text-ink">
            <bdi>{toAccountName(connection)}</bdi> ›
          </Link>
        }
        title="SCIM discovery"
        scope={
          <>
            <bdi dir="auto">{toAccountName(connection)}</bdi>
            {lastCheckedAt !== null && (
              <>
                {' · last checked '}
                <RelativeTime at={lastCheckedAt} now={now} />
              </>
            )}
          </>
        }
        actions={
          isAdmin &&
          isConfigured &&
          !isEnded &&
          key.kind === 'set' && <CheckNow connectionId={connection.id} isUnderWay={isUnderWay} />
        }
      />
      <div className="list-body flex min-h-0 flex-1 flex-col overflow-y-auto pb-8 max-md:overflow-visible">
        <KeyNotice value={readText(searchParams, 'key')} />
        {isEnded && (
          <Banner tone="plain" className="border-t">
            This account is disconnected: no API key is kept for it and nothing is asked. Reconnect it before a key can
            be entered.
          </Banner>
        )}
        {!isConfigured && (
          <Banner tone="warn" className="border-t">
            No SCIM address is configured, so nothing can be asked. An operator sets{' '}
            <code className="font-mono text-[12px]">PARTNER_SCIM_BASE_URL</code> for the web server and the worker.
          </Banner>
        )}
        {check !== null && isUnderWay && (
          <CheckProgress key={check.id} connectionId={connection.id} check={check} now={now} />
        )}
        {check !== null && <CheckFailure check={check} />}
        {key.kind === 'none' && !isKnown && <WhatAKeyIsFor />}
        <KeyPanel connectionId={connection.id} keyState={key} canChange={isAdmin} isEnded={isEnded} now={now} />
        {lastCheckedAt !== null && <EndpointTable rows={findings.rows} now={now} />}
        {isKnown && (
          <>
            <Section title="What changed">
              <ChangeList answers={findings.changes} now={now} />
            </Section>
            <Section title="Supported operations">
              {findings.config ? <ServiceConfig config={findings.config} /> : <NotRead />}
            </Section>
            <Section title="Resource types">
              {findings.types ? <ResourceTypeList types={findings.types} /> : <NotRead />}
            </Section>
            <SchemaSection core={findings.core} extensions={findings.extensions} path={path} search={search} />
            <Section title="As received">
              <ReceivedAnswers endpoints={endpoints} now={now} />
            </Section>
          </>
        )}
      </div>
    </>
  )
})

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t px-5 py-4 max-md:px-4">
      <h2 className="mb-2 font-semibold text-[14px]">{title}</h2>
      {children}
    </section>
  )
}

function NotRead() {
  return <p className="text-[13px] text-ink2">Not known: the endpoint has not been read yet. See above for why.</p>
}

function WhatAKeyIsFor() {
  return (
    <section className="border-t px-5 pt-8 pb-4 max-md:px-4">
      <h2 className="font-semibold text-[14px]">Nothing is known of this account’s SCIM API yet</h2>
      <p className="mt-1 max-w-[64ch] text-[13px] text-ink2">
        SCIM is the interface through which an account’s users are managed. With an API key, this page shows what the
        platform supports there: operations, resource types, and the attributes of users with their enterprise, travel
        and expense extensions. Nothing is changed, and no user is read. Only admins of the account on the platform can
        get a key; it is another one than the link that brings the invoices.
      </p>
    </section>
  )
}

const NOTICES = {
  stored: { tone: 'good', text: 'The key is stored, sealed.' },
  removed: { tone: 'plain', text: 'The key was removed. What was learned with it stays.' },
  disconnected: {
    tone: 'bad',
    text: 'Nothing was stored: this account is disconnected. Reconnect it, then enter the key.',
  },
  refused: {
    tone: 'bad',
    text: 'That cannot be a key: it is empty, too long, or has spaces or characters that a header may not carry. Nothing was stored.',
  },
} as const

/** How the last form ended; fixed words. */
function KeyNotice({ value }: { value: string }) {
  if (!Object.hasOwn(NOTICES, value)) return null
  const { tone, text } = NOTICES[value as keyof typeof NOTICES]
  return (
    <Banner tone={tone} className="border-t">
      {text}
    </Banner>
  )
}

const FAILURES: Record<NonNullable<ScimCheckState['failure']>, string> = {
  no_key: 'The last check asked nothing: there was no key.',
  key_unreadable:
    'The last check asked nothing: the stored key cannot be opened with the worker’s keys. An operator has to restore the key ring, or an admin enters the API key again.',
  not_configured: 'The last check asked nothing: the worker has no SCIM address configured.',
  interrupted: 'The last check was given up: three times a worker stopped in the middle of it. Check again.',
}

function CheckFailure({ check }: { check: ScimCheckState }) {
  if (check.failure === null || check.failure === 'no_key') return null
  return (
    <Banner tone="bad" className="border-t">
      {FAILURES[check.failure]} <span className="text-ink2">What was known before is shown below.</span>
    </Banner>
  )
}
