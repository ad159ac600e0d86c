import { test } from './fixtures.ts'
import { tellOneCount } from './one-count.ts'

test.use({ appOptions: { size: 'hostile' } })

tellOneCount()
