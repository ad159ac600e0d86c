/**
 * The version of the parser and of the proof. Raise it when either gives other results. A line
 * stored under another version is rewritten when it is applied again, even if its content is
 * unchanged.
 */
export const PROOF_VERSION = 1
