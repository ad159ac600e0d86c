/** What became of a form of single sign-on: `/settings?said=<key>` and `?error=<key>`. */
export const SSO_SAID: Record<string, string> = {
  sso_provider: 'The identity provider is saved. It answered.',
  sso_mode: 'Saved. It holds from the next sign-in on.',
}

export const SSO_REFUSED: Record<string, string> = {
  sso_no_answer:
    'Nothing was saved: the identity provider gave no usable answer at this issuer, or states another one. Check the address.',
  sso_domain_taken:
    'Nothing was saved: another organization claims one of these domains, or has people with such addresses.',
  sso_secret_missing: 'Nothing was saved: for another issuer or client, enter the client secret again.',
  sso_no_admin_left:
    'Nothing was saved: no admin could sign in any more. To enforce single sign-on, name an admin with a password who may keep it.',
  sso_not_set_up: 'Nothing was saved: set the identity provider first.',
  sso_field_issuer: 'Nothing was saved: the issuer must be a public https address.',
  sso_field_domains: 'Nothing was saved: enter at least one domain, such as example.com.',
}

/** Any other field that could not be read. */
export const SSO_FIELD_REFUSED = 'Nothing was saved: a field is missing or too long.'
