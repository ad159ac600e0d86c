import { NameForm } from '#components/settings/name-form.tsx'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { Section } from './section.tsx'

type AccountNameProps = {
  connection: Pick<ConnectionSummary, 'id' | 'name' | 'platformName'>
  /** The configured name of the platform. */
  platform: string
  canName: boolean
}

/** What the platform calls the account, and the organization's own name for it. */
export function AccountName({ connection: { id, name, platformName }, platform, canName }: AccountNameProps) {
  const ownName = name === platformName ? null : name
  return (
    <Section title="Name">
      <p className="pb-2 text-[13px] text-ink2">
        {platformName === null ? (
          `${platform} has not said yet what it calls the account.`
        ) : (
          <>
            {platform} calls the account <bdi className="font-medium text-ink">{platformName}</bdi>.
          </>
        )}{' '}
        {ownName === null ? 'It has no other name here.' : 'Every page and file shows your own name for it.'}
      </p>
      {canName && (
        <NameForm
          action={`/api/connections/${id}/name`}
          label="Own name"
          name={ownName ?? ''}
          placeholder={platformName ?? 'As the platform calls it'}
        />
      )}
    </Section>
  )
}
