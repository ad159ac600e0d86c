import { directoryRoute } from '#lib/auth/doors/api-route.ts'
import { createGroupForDirectory, listGroupsForDirectory } from '#lib/directory/answer.ts'

export const GET = directoryRoute('GET', listGroupsForDirectory)
export const POST = directoryRoute('POST', createGroupForDirectory)
