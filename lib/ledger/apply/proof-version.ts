/**
 * The version of what is worked out from a record: how it is parsed and proved. A line stored under
 * another version is written anew when it is applied again, though its content has not changed.
 * Raise it when either changes its results.
 */
export const PROOF_VERSION = 1
