/** An interval between syncs in words: `every 4 hours`. */
export function describeInterval(minutes: number): string {
  if (minutes === 60) return 'every hour'
  if (minutes === 1440) return 'every day'
  if (minutes === 10080) return 'every week'
  if (minutes % 10080 === 0) return `every ${minutes / 10080} weeks`
  if (minutes % 1440 === 0) return `every ${minutes / 1440} days`
  return minutes % 60 === 0 ? `every ${minutes / 60} hours` : `every ${minutes} minutes`
}
