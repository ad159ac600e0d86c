export const SECURITY_HEADERS: Record<string, string>
export const NOTHING_RUNS: string
