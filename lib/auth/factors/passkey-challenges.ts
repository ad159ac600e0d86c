/** Random values for an authenticator to sign: each once, within five minutes, for one purpose. */
import { hashSecret, makeSecret } from '#lib/connections/secret-hash.ts'
import { withSystem, withSystemSql } from '#lib/db/tenant.ts'

export const CHALLENGE_SECONDS = 300
/** More than an office's people begin in five minutes; keeps a flood from filling the table. */
const MAX_PER_NETWORK = 200
const SWEPT_ROWS = 20

/** What it is for, and the secret of the session or browser that alone may answer it. */
export type ChallengeUse = { purpose: 'register' | 'sign-in'; holder: string }

/** A new challenge in base64url; null when the network, a keyed hash, has too many open. */
export function makeChallenge(use: ChallengeUse, network: string, now: Date): Promise<string | null> {
  const challenge = makeSecret()
  return withSystemSql(async (sql) => {
    await sql(
      `delete from passkey_challenge where challenge_hash in (
         select challenge_hash from passkey_challenge where expires_at < $1
         order by expires_at limit ${SWEPT_ROWS} for update skip locked)`,
      [now],
    )
    const made = await sql(
      `insert into passkey_challenge (challenge_hash, purpose, holder_hash, network, expires_at)
       select $1, $2, $3, $4, $5
       where (select count(*) from passkey_challenge where network = $4 and expires_at > $6) < ${MAX_PER_NETWORK}
       returning 1 as one`,
      [
        hashSecret(challenge),
        use.purpose,
        hashSecret(use.holder),
        network,
        new Date(now.getTime() + CHALLENGE_SECONDS * 1000),
        now,
      ],
    )
    return made.length === 1 ? challenge : null
  })
}

/** Uses a challenge up; false when it was used, is too old, or is another purpose's or holder's. */
export async function spendChallenge(
  challenge: string,
  { purpose, holder }: ChallengeUse,
  now: Date,
): Promise<boolean> {
  const challengeHash = hashSecret(challenge)
  const where = { challengeHash, purpose, holderHash: hashSecret(holder), expiresAt: { gt: now } }
  const spent = await withSystem((records) => records.passkeyChallenge.deleteMany({ where }))
  return spent.count === 1
}
