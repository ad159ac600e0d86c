import { signIn } from '../../../lib/auth/sign-in.ts'

export function POST(request: Request): Promise<Response> {
  return signIn(request, new Date())
}
