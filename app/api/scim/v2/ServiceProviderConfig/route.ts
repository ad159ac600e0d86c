import { directoryRoute } from '#lib/auth/doors/api-route.ts'
import { describeService } from '#lib/directory/describe.ts'

export const GET = directoryRoute('GET', describeService)
