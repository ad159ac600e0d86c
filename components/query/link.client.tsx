'use client'

import { type LinkProps, RouterLink } from './navigate.client.tsx'

/**
 * A link to another page of ours. `next/link` also asks ahead for what its target shows while it
 * loads, in two rounds; nothing is shown here until the page itself can be.
 */
export function Link(props: LinkProps) {
  return <RouterLink replaced="page" {...props} />
}
