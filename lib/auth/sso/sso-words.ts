/** Why single sign-on led back to the sign-in page: `/sign-in?error=<key>`. */
export const SSO_ERRORS = {
  sso_unknown: 'There is no single sign-on for this address. Sign in with your password, or ask your admin.',
  sso_expired: 'This sign-in took too long, was used already, or was begun in another browser. Please start again.',
  sso_declined: 'Your identity provider did not sign you in.',
  sso_failed: 'Your identity provider gave no answer that can be trusted. Try again; if it goes on, tell your admin.',
  sso_no_role:
    'Your identity provider signed you in, but none of your groups may use Tieout. Ask your admin for access.',
  sso_overage:
    'You are in more groups than your identity provider sends. Your admin has to limit the groups it sends, or use app roles.',
  sso_no_email: 'Your identity provider did not say your email address. Your admin has to let it send one.',
  sso_taken:
    'Somebody with your address is here already, and your identity provider does not vouch for it. Ask your admin.',
  sso_disabled: 'Your account is deactivated. Ask your admin.',
} as const

export type SsoErrorKey = keyof typeof SSO_ERRORS
