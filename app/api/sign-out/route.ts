import { signOut } from '../../../lib/auth/sign-in.ts'

export function POST(request: Request): Promise<Response> {
  return signOut(request, new Date())
}
