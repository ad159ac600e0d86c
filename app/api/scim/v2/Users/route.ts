import { directoryRoute } from '#lib/auth/doors/api-route.ts'
import { createUserForDirectory, listUsersForDirectory } from '#lib/directory/answer.ts'

export const GET = directoryRoute('GET', listUsersForDirectory)
export const POST = directoryRoute('POST', createUserForDirectory)
