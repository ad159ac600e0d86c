import { directoryRoute } from '#lib/auth/doors/api-route.ts'
import {
  getUserForDirectory,
  patchUserForDirectory,
  removeUserForDirectory,
  replaceUserForDirectory,
} from '#lib/directory/answer.ts'

export const GET = directoryRoute('GET', getUserForDirectory)
export const PUT = directoryRoute('PUT', replaceUserForDirectory)
export const PATCH = directoryRoute('PATCH', patchUserForDirectory)
export const DELETE = directoryRoute('DELETE', removeUserForDirectory)
