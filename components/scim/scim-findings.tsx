import type { ReactNode } from 'react'
import type { ScimEndpointState } from '#lib/connections/scim/scim-discovery.ts'
import type { ScimFindings } from '#lib/connections/scim/scim-findings.ts'
import { ChangeList } from './change-list.tsx'
import { ReceivedAnswers } from './received-answers.tsx'
import { ResourceTypeList } from './resource-type-list.tsx'
import { SchemaSection } from './schema-section.tsx'
import { ServiceConfig } from './service-config.tsx'

type ScimFindingsProps = {
  findings: ScimFindings
  endpoints: ScimEndpointState[]
  /** The page's path, for its schema search. */
  path: string
  search: string
  now: number
}

/** Everything known about an account's SCIM API: changes, capabilities, schemas and raw answers. */
export function ScimFindingsSections({ findings, endpoints, path, search, now }: ScimFindingsProps) {
  return (
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
  )
}

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

/** For an account never checked: what a key would show, and who can get one. */
export function WhatAKeyIsFor() {
  return (
    <section className="border-t px-5 pt-8 pb-4 max-md:px-4">
      <h2 className="font-semibold text-[14px]">This account’s SCIM API has not been checked yet</h2>
      <p className="mt-1 max-w-[64ch] text-[13px] text-ink2">
        SCIM is the interface through which an account’s users are managed. With an API key, this page shows what the
        platform supports there: operations, resource types, and the attributes of users with their enterprise, travel
        and expense extensions. Nothing is changed, and no user is read. Only admins of the account on the platform can
        get a key; it is separate from the link that brings the invoices.
      </p>
    </section>
  )
}
