/**
 * The platform in the middle of a sentence: by its configured name, or in general when it has none.
 */
export function toPlatformName(configured: string | undefined): string {
  return configured === undefined || configured === 'Travel platform' ? 'the travel platform' : configured
}
