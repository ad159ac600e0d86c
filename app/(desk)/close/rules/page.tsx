import type { Metadata } from 'next'
import { PageHeader } from '#components/frame/page-header.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { RuleCard } from '#components/rules/rule-card.tsx'
import { RuleForm } from '#components/rules/rule-form.tsx'
import { RULE_ERRORS, RULE_NOTICES } from '#components/rules/rule-words.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { ERROR_CATALOG } from '#lib/errors.ts'
import { listCertification } from '#lib/ledger/certify/list-certification.ts'
import { readValue } from '#lib/ledger/query/search-params.ts'
import { deskPage } from '../../desk-page.tsx'

export const metadata: Metadata = { title: 'Rules' }

export default deskPage({ path: '/close/rules', may: 'read' }, async ({ session, searchParams }) => {
  const { rules, mayApprove, firstMonth } = await listCertification(session.organizationId)
  const today = new Date().toISOString().slice(0, 10)
  const mayKeep = isAllowed(session.role, 'keep-rules')
  const said = RULE_NOTICES[readValue(searchParams, 'said') ?? '']
  const code = readValue(searchParams, 'error') ?? ''
  const error =
    RULE_ERRORS[code] ?? (code in ERROR_CATALOG ? ERROR_CATALOG[code as keyof typeof ERROR_CATALOG].text : null)
  return (
    <>
      <PageHeader
        title="Rules"
        scope="What is accepted and prepared without a person, after it was tried on the past"
        parent={{ href: '/close', name: 'Close' }}
      />
      {said && <Banner tone="good">{said}</Banner>}
      {error && <Banner tone="bad">{error}</Banner>}
      <div className="rules-page">
        {rules.map((rule) => (
          <RuleCard
            key={rule.id}
            {...{ rule, mayKeep, mayApprove, today }}
            firstMonth={firstMonth ?? today.slice(0, 7)}
          />
        ))}
        {rules.length === 0 && <p>No rule is kept yet.</p>}
        {mayKeep && (
          <section aria-labelledby="new-rule" className="rule-card">
            <h2 id="new-rule">Make a rule</h2>
            <RuleForm rule={null} mayApprove={mayApprove} today={today} />
          </section>
        )}
        <section aria-labelledby="approving" className="rule-card">
          <h2 id="approving">Approving</h2>
          <p>Rules {mayApprove ? 'may approve what somebody else has prepared.' : 'never approve.'}</p>
          {isAllowed(session.role, 'let-rules-approve') && (
            <form method="post" action="/api/close/rules/approving">
              <input type="hidden" name="allowed" value={mayApprove ? 'no' : 'yes'} />
              <button type="submit" className={buttonClass({ size: 'small' })}>
                {mayApprove ? 'Let no rule approve' : 'Let rules approve'}
              </button>
            </form>
          )}
        </section>
      </div>
    </>
  )
})
