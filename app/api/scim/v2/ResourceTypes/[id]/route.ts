import { directoryRoute } from '#lib/auth/doors/api-route.ts'
import { describeResourceType } from '#lib/directory/describe.ts'

export const GET = directoryRoute('GET', describeResourceType)
