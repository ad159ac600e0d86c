import type { ReactNode } from 'react'
import type { Notice } from '#components/account/account-words.ts'
import { ConfirmPassword } from '#components/account/confirm-password.tsx'
import { NoticeBanner } from '#components/account/notice-banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import { NameForm } from '#components/settings/name-form.tsx'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import type { Confirmation } from '#lib/auth/factors/read-factors.ts'
import type { KnownUser } from '#lib/auth/model.ts'
import { ROLE_LABELS } from '#lib/auth/permissions.ts'
import { RoleSelect } from './role-select.tsx'

type ChangePersonProps = { person: KnownUser; isSelf: boolean; confirmation: Confirmation; notice: Notice | null }

/** What an admin may change about one person. About oneself, nothing that locks oneself out. */
export function ChangePerson({ person, isSelf, confirmation, notice }: ChangePersonProps) {
  return (
    <SettingsSection
      id="person"
      title={`Change ${person.name}`}
      about={
        <>
          <bdi>{person.email}</bdi>.{' '}
          <Link href="/people" className="text-accent underline underline-offset-2">
            Close
          </Link>
        </>
      }
    >
      <NoticeBanner notice={notice} />
      <div className="flex flex-col gap-4">
        <NameForm
          action="/api/people"
          label="Name"
          name={person.name}
          fields={{ action: 'name', user: person.userId }}
        />
        {person.isManaged ? (
          <p className="text-[13px] text-ink2">
            Your company’s directory decides about this person’s role and access. Change their groups there, or what a
            group means in{' '}
            <Link href="/settings#directory" className="text-accent underline underline-offset-2">
              Settings
            </Link>
            .
          </p>
        ) : (
          <ChangeRole person={person} {...confirmation} />
        )}
        {!isSelf && <WaysOut person={person} />}
      </div>
    </SettingsSection>
  )
}

/** In a session that has just shown whose it is. */
function ChangeRole({ person, isFresh, hasPassword }: { person: KnownUser } & Confirmation) {
  if (!isFresh)
    return (
      <div className="flex flex-col gap-1 text-[13px]">
        <p>Role: {ROLE_LABELS[person.role]}</p>
        <ConfirmPassword place="person" hasPassword={hasPassword} person={person.userId} />
      </div>
    )
  return (
    <PersonForm person={person} action="role" className="flex items-end gap-2">
      <RoleSelect value={person.role} />
      <button type="submit" className={buttonClass()}>
        Change role
      </button>
    </PersonForm>
  )
}

function WaysOut({ person }: { person: KnownUser }) {
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {person.isDisabled ? (
          <PersonForm person={person} action="reactivate">
            <button type="submit" className={buttonClass()}>
              Reactivate
            </button>
          </PersonForm>
        ) : (
          <>
            <PersonForm person={person} action="sign-out">
              <button type="submit" className={buttonClass()}>
                Sign out everywhere
              </button>
            </PersonForm>
            <PersonForm person={person} action="deactivate">
              <button type="submit" className={buttonClass()}>
                Deactivate
              </button>
            </PersonForm>
          </>
        )}
      </div>
      <details>
        <summary className="w-fit rounded-sm text-[13px] text-ink2 hover:text-ink">Remove for good…</summary>
        <PersonForm person={person} action="remove" className="mt-2 flex flex-col items-start gap-2 text-[13px]">
          <p className="text-ink2">
            The person can no longer sign in, and the address is free for another invitation. What they did stays, with
            their name. This cannot be undone; deactivating can.
          </p>
          <label className="flex items-center gap-2">
            <input type="checkbox" required className="size-4" /> Yes, for good
          </label>
          <button type="submit" className={buttonClass()}>
            Remove
          </button>
        </PersonForm>
      </details>
    </>
  )
}

type PersonFormProps = { person: KnownUser; action: string; className?: string; children: ReactNode }

function PersonForm({ person, action, className, children }: PersonFormProps) {
  return (
    <form method="post" action="/api/people" className={className}>
      <input type="hidden" name="action" value={action} />
      <input type="hidden" name="user" value={person.userId} />
      {children}
    </form>
  )
}
