/** So long a person waits for the lines to be judged; then the page says that it goes on. */
export const JUDGING_WAIT_MS = 3_000
