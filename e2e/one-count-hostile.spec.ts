import { test } from './fixtures.ts'
import { tellOneCount } from './one-count.ts'

// an app of its own: the counts are those of one account only
test.use({ appOptions: { size: 'hostile', settings: { PARTNER_NAME: 'Odd platform' } } })

tellOneCount()
