import type { ReactNode } from 'react'
import { toNotice } from '#components/account/account-words.ts'
import { ConfirmPassword } from '#components/account/confirm-password.tsx'
import { NoticeBanner } from '#components/account/notice-banner.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import type { Confirmation } from '#lib/auth/factors/read-factors.ts'
import { ROLE_LABELS, ROLES } from '#lib/auth/permissions.ts'
import type { AuthMethod, SsoMode } from '#lib/auth/sso/model.ts'
import type { BreakGlassChoice, SsoView } from '#lib/auth/sso/sso-settings.ts'
import { SettingsSection } from './settings-section.tsx'
import { SSO_FIELD_REFUSED, SSO_REFUSED, SSO_SAID } from './single-sign-on-words.ts'

const METHOD_LABELS: Record<AuthMethod, string> = {
  client_secret_basic: 'Secret in a header (client_secret_basic)',
  client_secret_post: 'Secret in the form (client_secret_post)',
  none: 'No secret: public client with PKCE (none)',
}

const MODE_LABELS: Record<SsoMode, string> = {
  off: 'Off: everybody signs in with a password',
  optional: 'Optional: with single sign-on or a password',
  enforced: 'Enforced: single sign-on only',
}

type SingleSignOnProps = {
  view: SsoView
  /** What the provider has to be told. */
  callbackUrl: string
  /** The page's query: what became of a form. */
  outcome: Record<string, string | string[] | undefined>
} & Confirmation

/** The organization's identity provider, and who has to sign in through it. */
export function SingleSignOn({ view, callbackUrl, outcome, isFresh, hasPassword }: SingleSignOnProps) {
  const { provider, admins } = view
  return (
    <SettingsSection
      id="single-sign-on"
      title="Single sign-on"
      about="People sign in through your identity provider (OpenID Connect), which also says their role at each sign-in."
    >
      <Outcome said={outcome.said} error={outcome.error} />
      <NoticeBanner notice={toNotice(outcome, 'sso_')} />
      {isFresh ? (
        <>
          <ProviderForm provider={provider} callbackUrl={callbackUrl} />
          {provider !== null && <ModeForm mode={provider.mode} admins={admins} />}
        </>
      ) : (
        <div className="flex flex-col gap-3 text-[13px]">
          <Summary provider={provider} />
          <ConfirmPassword place="single-sign-on" hasPassword={hasPassword} />
        </div>
      )}
    </SettingsSection>
  )
}

/** What is set, for a session that may not change it now. */
function Summary({ provider }: Pick<SsoView, 'provider'>) {
  if (provider === null) return <p className="text-ink2">No identity provider is set.</p>
  return (
    <p className="text-ink2">
      <bdi className="text-ink">{provider.issuer}</bdi> · {MODE_LABELS[provider.mode]}
    </p>
  )
}

function Outcome({ said, error }: { said: unknown; error: unknown }) {
  const good = typeof said === 'string' ? SSO_SAID[said] : undefined
  const isField = typeof error === 'string' && error.startsWith('sso_field_')
  const bad = typeof error === 'string' ? (SSO_REFUSED[error] ?? (isField ? SSO_FIELD_REFUSED : undefined)) : undefined
  if (good === undefined && bad === undefined) return null
  return (
    <Banner tone={bad === undefined ? 'good' : 'bad'} className="mb-4 rounded-r-md">
      {bad ?? good}
    </Banner>
  )
}

function ProviderForm({ provider, callbackUrl }: { provider: SsoView['provider']; callbackUrl: string }) {
  return (
    <form
      method="post"
      action="/api/settings/single-sign-on"
      autoComplete="off"
      className="flex flex-col gap-3 text-[13px]"
    >
      <p className="text-ink2">
        Redirect address to enter there: <code className="break-all text-ink">{callbackUrl}</code>
      </p>
      <Field label="Issuer">
        <input
          name="issuer"
          type="url"
          required
          maxLength={500}
          placeholder="https://login.example.com"
          defaultValue={provider?.issuer}
          className="field h-8 w-full"
        />
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Client id">
          <input
            name="clientId"
            required
            maxLength={300}
            defaultValue={provider?.clientId}
            className="field h-8 w-full"
          />
        </Field>
        <Field label="Client secret" hint={provider === null ? undefined : 'Empty keeps it. It is never shown.'}>
          <input
            name="secret"
            type="password"
            autoComplete="new-password"
            maxLength={2000}
            className="field h-8 w-full"
          />
        </Field>
      </div>
      <Field label="Client authentication">
        <select name="authMethod" defaultValue={provider?.authMethod} className="field h-8 w-full">
          {Object.entries(METHOD_LABELS).map(([method, label]) => (
            <option key={method} value={method}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      <Field
        label="Email domains"
        hint="One per line. Their people are led to this provider, and recognized by a verified address."
      >
        <textarea
          name="domains"
          rows={2}
          required
          defaultValue={provider?.domains.join('\n')}
          className="field h-auto! w-full py-1.5!"
        />
      </Field>
      <Field label="Claim with the role" hint="A path, such as groups or resource_access.tieout.roles.">
        <input
          name="roleClaim"
          required
          maxLength={300}
          defaultValue={provider?.roleClaim ?? 'groups'}
          className="field h-8 w-full"
        />
      </Field>
      <div className="grid gap-3 sm:grid-cols-3">
        {ROLES.toReversed().map((role) => (
          <Field key={role} label={`Values for ${ROLE_LABELS[role]}`}>
            <textarea
              name={role}
              rows={3}
              defaultValue={provider?.values[role].join('\n')}
              className="field h-auto! w-full py-1.5!"
            />
          </Field>
        ))}
      </div>
      <p className="text-ink2">
        One value per line. Of several roles the first here counts; nobody without one of these values gets in.
      </p>
      <div>
        <button type="submit" className={buttonClass()}>
          Save identity provider
        </button>
      </div>
    </form>
  )
}

function ModeForm({ mode, admins }: { mode: SsoMode; admins: BreakGlassChoice[] }) {
  return (
    <form
      method="post"
      action="/api/settings/single-sign-on/mode"
      className="mt-6 flex flex-col gap-4 border-t pt-5 text-[13px]"
    >
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 font-medium">Who uses it</legend>
        {Object.entries(MODE_LABELS).map(([value, label]) => (
          <label key={value} className="flex items-center gap-2">
            <input type="radio" name="mode" value={value} defaultChecked={value === mode} />
            {label}
          </label>
        ))}
      </fieldset>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 font-medium">Break-glass admins</legend>
        <p className="text-ink2">They may sign in with their password even when single sign-on is enforced.</p>
        {admins.map(({ userId, name, email, isNamed, hasPassword }) => (
          <label key={userId} className="flex items-baseline gap-2">
            <input type="checkbox" name={`admin.${userId}`} defaultChecked={isNamed} />
            <span className="min-w-0">
              <bdi>{name}</bdi>{' '}
              <span className="text-ink2">
                <bdi>{email}</bdi>
                {!hasPassword && ', has no password'}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="text-ink2">
        Enforcing ends all sessions that began with a password, but those of break-glass admins. Turning it off ends all
        that it began, and so does another issuer or client.
      </p>
      <div>
        <button type="submit" className={buttonClass()}>
          Save who uses it
        </button>
      </div>
    </form>
  )
}

function Field({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className="flex flex-col gap-1">
      <span className="font-medium">{label}</span>
      {children}
      {hint !== undefined && <span className="text-ink2">{hint}</span>}
    </label>
  )
}
