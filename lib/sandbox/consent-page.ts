export type ConsentPageContent = {
  consentId: string
  action: string
  appName: string
  scopes: readonly string[]
  accounts: readonly { id: string; name: string }[]
  chosenId: string
}

const SCOPE_MEANING: Readonly<Record<string, string>> = {
  'expenses:read': 'Read invoices, invoice lines and billing profiles',
  'trips:read': 'Read trips',
  'bookings:read': 'Read bookings',
  'users:read': 'Read users',
  'scim:read': 'Read directory settings',
}

const STYLE = `
  :root { color-scheme: light dark; --ink: #16181d; --soft: #5b6270; --line: #d9dce2; --paper: #ffffff; --ground: #f3f4f7; --act: #1d5bd8; --on-act: #ffffff; }
  @media (prefers-color-scheme: dark) { :root { --ink: #eceef2; --soft: #a2a9b8; --line: #343944; --paper: #1b1e25; --ground: #111319; --act: #7ba6ff; --on-act: #0d1220; } }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
  main { width: 100%; max-width: 440px; padding: 32px; background: var(--paper); border: 1px solid var(--line); border-radius: 12px; }
  .brand { margin: 0 0 20px; color: var(--soft); font-size: 13px; letter-spacing: .02em; }
  h1 { margin: 0 0 8px; font-size: 20px; line-height: 1.3; font-weight: 600; }
  p { margin: 0 0 16px; color: var(--soft); }
  ul { margin: 0 0 20px; padding: 0; list-style: none; border-top: 1px solid var(--line); }
  li { padding: 10px 0; border-bottom: 1px solid var(--line); }
  code { display: block; color: var(--soft); font-size: 12px; }
  label { display: block; margin-bottom: 6px; font-weight: 600; }
  select { width: 100%; padding: 9px 10px; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 8px; }
  .actions { display: flex; gap: 12px; margin-top: 24px; }
  button { flex: 1; padding: 10px 16px; font: inherit; font-weight: 600; border-radius: 8px; border: 1px solid var(--line); background: transparent; color: inherit; cursor: pointer; }
  button.primary { background: var(--act); border-color: var(--act); color: var(--on-act); }
  :focus-visible { outline: 2px solid var(--act); outline-offset: 2px; }
`

/** The consent page: who asks, for what, on which account; buttons "Allow" and "Decline". */
export function consentPage(content: ConsentPageContent): string {
  const app = escapeHtml(content.appName)
  const scopes = content.scopes
    .map((scope) => `<li>${escapeHtml(SCOPE_MEANING[scope] ?? scope)}<code>${escapeHtml(scope)}</code></li>`)
    .join('')
  const accounts = content.accounts
    .map(
      ({ id, name }) =>
        `<option value="${escapeHtml(id)}"${id === content.chosenId ? ' selected' : ''}>${escapeHtml(name)}</option>`,
    )
    .join('')
  return page(
    `Allow ${app}?`,
    `<h1>${app} asks for access</h1>
    <p>It will be able to:</p>
    <ul>${scopes}</ul>
    <form method="post" action="${escapeHtml(content.action)}">
      <input type="hidden" name="consent" value="${escapeHtml(content.consentId)}">
      <label for="account">Account</label>
      <select id="account" name="account">${accounts}</select>
      <div class="actions">
        <button class="primary" type="submit" name="decision" value="allow">Allow</button>
        <button type="submit" name="decision" value="decline">Decline</button>
      </div>
    </form>`,
  )
}

/** A page that ends the flow here and redirects nowhere. */
export function refusalPage(reason: string): string {
  return page('Request refused', `<h1>This request was refused</h1><p>${escapeHtml(reason)}</p>`)
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Sandbox travel platform</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
    <p class="brand">Sandbox travel platform</p>
    ${content}
    </main>
  </body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
