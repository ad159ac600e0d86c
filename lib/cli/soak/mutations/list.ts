import { CONNECTIONS } from './list/connections.ts'
import { EXCHANGE } from './list/exchange.ts'
import { HARDENING } from './list/hardening.ts'
import { LEDGER } from './list/ledger.ts'
import { PARTNER } from './list/partner.ts'
import { REFRESH } from './list/refresh.ts'
import { SECRETS } from './list/secrets.ts'
import { SIGN_IN } from './list/sign-in.ts'
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
  ...THROTTLE,
  ...SIGN_IN,
  ...EXCHANGE,
  ...USERS,
  ...HARDENING,
]
