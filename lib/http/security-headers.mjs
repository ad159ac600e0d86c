/**
 * What every answer of ours says to browsers, pages and files alike. JavaScript, since the web
 * server's preload and next.config.mjs need it before anything compiles TypeScript.
 */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  // another site's window that opened ours, or that we opened, has no handle on it
  'cross-origin-opener-policy': 'same-origin',
  // no other site can load an answer of ours as its image, script or frame
  'cross-origin-resource-policy': 'same-origin',
  // a process of its own where the browser can: not shared with our sister sites
  'origin-agent-cluster': '?1',
  // for the readers of PDF files, which ask for rules of their own
  'x-permitted-cross-domain-policies': 'none',
}

/** Runs and loads nothing: the policy of everything but pages (lib/http/content-policy.ts). */
export const NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'"
