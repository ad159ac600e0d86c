import { ACCOUNT } from './list/account.ts'
import { AUDIT } from './list/audit.ts'
import { CLOSE_PAGE } from './list/close/close-page.ts'
import { MOMENTS } from './list/close/moments.ts'
import { PACKS } from './list/close/pack.ts'
import { RULES } from './list/close/rules.ts'
import { CLOSE } from './list/close/sign-off.ts'
import { CONNECTIONS } from './list/connections.ts'
import { DIGEST } from './list/digest.ts'
import { DIRECTORY } from './list/directory.ts'
import { DISPUTES } from './list/disputes.ts'
import { EXCHANGE } from './list/exchange.ts'
import { FACTORS } from './list/factors.ts'
import { HARDENING } from './list/hardening.ts'
import { LEDGER } from './list/ledger.ts'
import { OPERATIONS } from './list/operations.ts'
import { PARTNER } from './list/partner.ts'
import { PEOPLE } from './list/people.ts'
import { REFRESH } from './list/refresh.ts'
import { REVIEW } from './list/review.ts'
import { CLUSTER } from './list/scale/cluster.ts'
import { FAILOVER } from './list/scale/failover.ts'
import { FLEET } from './list/scale/fleet.ts'
import { LAKE } from './list/scale/lake.ts'
import { SECRETS } from './list/secrets.ts'
import { SIGN_IN } from './list/sign-in.ts'
import { SINGLE_SIGN_ON } from './list/single-sign-on.ts'
import { SYNC } from './list/sync.ts'
import { TALK } from './list/talk.ts'
import { THROTTLE } from './list/throttle.ts'
import { USERS } from './list/users.ts'
import { WEB } from './list/web.ts'
import type { Breakage } from './model.ts'

/** Every breakage of the soak, in the order they are tried. */
export const BREAKAGES: Breakage[] = [
  ...REFRESH,
  ...SYNC,
  ...CONNECTIONS,
  ...SECRETS,
  ...PARTNER,
  ...LEDGER,
  ...REVIEW,
  ...CLOSE,
  ...CLOSE_PAGE,
  ...WEB,
  ...TALK,
  ...ACCOUNT,
  ...THROTTLE,
  ...SIGN_IN,
  ...EXCHANGE,
  ...USERS,
  ...MOMENTS,
  ...OPERATIONS,
  ...AUDIT,
  ...PEOPLE,
  ...SINGLE_SIGN_ON,
  ...FACTORS,
  ...DIRECTORY,
  ...HARDENING,
  ...DISPUTES,
  ...DIGEST,
  ...PACKS,
  ...CLUSTER,
  ...RULES,
  ...LAKE,
  ...FAILOVER,
  ...FLEET,
]
