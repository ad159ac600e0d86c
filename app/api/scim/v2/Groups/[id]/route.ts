import { directoryRoute } from '#lib/auth/doors/api-route.ts'
import {
  getGroupForDirectory,
  patchGroupForDirectory,
  removeGroupForDirectory,
  replaceGroupForDirectory,
} from '#lib/directory/answer.ts'

export const GET = directoryRoute('GET', getGroupForDirectory)
export const PUT = directoryRoute('PUT', replaceGroupForDirectory)
export const PATCH = directoryRoute('PATCH', patchGroupForDirectory)
export const DELETE = directoryRoute('DELETE', removeGroupForDirectory)
