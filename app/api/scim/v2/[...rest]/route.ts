import { directoryRoute } from '#lib/auth/doors/api-route.ts'
import { refuseOther } from '#lib/directory/describe.ts'

/** Whatever else a directory may try, answered in its own form. */
export const GET = directoryRoute('GET', refuseOther)
export const POST = directoryRoute('POST', refuseOther)
export const PUT = directoryRoute('PUT', refuseOther)
export const PATCH = directoryRoute('PATCH', refuseOther)
export const DELETE = directoryRoute('DELETE', refuseOther)
