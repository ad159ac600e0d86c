/**
 * So many lines that still carry a decision are counted where decisions are listed; of more it says
 * so, and its link leads to them.
 */
export const MOST_STANDING_COUNTED = 10_000
