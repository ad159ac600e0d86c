import type { Breakage } from './model.ts'

/** Every breakage of the soak, in the order in which they are tried. */
export const BREAKAGES: Breakage[] = []
