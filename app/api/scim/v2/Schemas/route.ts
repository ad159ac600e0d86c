import { directoryRoute } from '#lib/auth/api-route.ts'
import { describeSchema } from '#lib/directory/describe.ts'

export const GET = directoryRoute('GET', describeSchema)
