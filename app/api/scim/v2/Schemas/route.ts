import { directoryRoute } from '#lib/auth/doors/api-route.ts'
import { describeSchema } from '#lib/directory/describe.ts'

export const GET = directoryRoute('GET', describeSchema)
