/** The platform's name for the middle of a sentence; a general one when none is configured. */
export function toPlatformName(configured: string | undefined): string {
  return configured === undefined || configured === 'Travel platform' ? 'the travel platform' : configured
}
