import type { MappingEnd } from '#lib/directory/role-mapping.ts'
import { errorReply, jsonReply, redirectTo } from '#lib/http/replies.ts'

/** How the change of a role ended, for a form and for a script. */
export function toMappingReply(end: MappingEnd, isForm: boolean): Response {
  if (isForm)
    return redirectTo(
      end === 'last-admin'
        ? '/settings?error=directory-last-admin#directory'
        : `/settings?said=directory-${end === 'done' ? 'saved' : 'missing'}#directory`,
    )
  if (end === 'missing') return errorReply(404, 'not-found', 'There is no such group.')
  if (end === 'last-admin') return errorReply(409, 'last-admin', 'Nobody would be left who can administrate.')
  return jsonReply({ saved: true })
}
