import { ACCOUNT } from './list/account.ts'
import { AUDIT } from './list/audit.ts'
import { CONNECTIONS } from './list/connections.ts'
import { DIRECTORY } from './list/directory.ts'
import { EXCHANGE } from './list/exchange.ts'
import { FACTORS } from './list/factors.ts'
import { HARDENING } from './list/hardening.ts'
import { LEDGER } from './list/ledger.ts'
import { OPERATIONS } from './list/operations.ts'
import { PARTNER } from './list/partner.ts'
import { PEOPLE } from './list/people.ts'
import { REFRESH } from './list/refresh.ts'
import { SECRETS } from './list/secrets.ts'
import { SIGN_IN } from './list/sign-in.ts'
import { SINGLE_SIGN_ON } from './list/single-sign-on.ts'
import { SYNC } from './list/sync.ts'
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
  ...WEB,
  ...ACCOUNT,
  ...THROTTLE,
  ...SIGN_IN,
  ...EXCHANGE,
  ...USERS,
  ...OPERATIONS,
  ...AUDIT,
  ...PEOPLE,
  ...SINGLE_SIGN_ON,
  ...FACTORS,
  ...DIRECTORY,
  ...HARDENING,
]
