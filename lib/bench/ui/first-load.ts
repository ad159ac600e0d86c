import { gzipSync } from 'node:zlib'

const CHUNK = /\/?(?:_next\/)?static\/chunks\/[^"'\\ ?<>]+\.js/g
const FOR_OLD_BROWSERS = /<script[^>]*nomodule[^>]*>/gi

/**
 * The scripts that a page's HTML names, as addresses: those of its tags, and those that its data
 * makes the browser load at once. What loads with a later wish (a panel, a dialog) is named in
 * scripts only.
 */
function listFirstScripts(html: string): string[] {
  const named = html.replaceAll(FOR_OLD_BROWSERS, '').match(CHUNK) ?? []
  const skipped = (html.match(FOR_OLD_BROWSERS) ?? []).flatMap((tag) => tag.match(CHUNK) ?? [])
  const toAddress = (name: string) => `/_next/static/${name.split('static/')[1]}`
  const old = new Set(skipped.map(toAddress))
  return [...new Set(named.map(toAddress))].filter((address) => !old.has(address))
}

/** The first-load JavaScript of a page in bytes, each script compressed on its own by gzip. */
export async function weighFirstScripts(html: string, read: (address: string) => Promise<Buffer>): Promise<number> {
  const weights = await Promise.all(listFirstScripts(html).map(async (address) => gzipSync(await read(address)).length))
  return weights.reduce((sum, weight) => sum + weight, 0)
}
