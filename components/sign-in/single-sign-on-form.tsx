import { buttonClass } from '#components/primitives/button.ts'

/** The way to the identity provider of somebody's organization: a plain form, which leaves us. */
export function SingleSignOnForm({ next, input }: { next: string; input: string }) {
  return (
    <form method="post" action="/api/sso" className="mt-6 flex flex-col gap-3 border-t pt-5">
      <input type="hidden" name="next" value={next} />
      <label className="flex flex-col gap-1 font-medium text-[13px]">
        Work address, or its domain
        <input name="domain" autoComplete="username" required maxLength={320} className={input} />
      </label>
      <button type="submit" className={`${buttonClass()} h-9`}>
        Continue with single sign-on
      </button>
    </form>
  )
}
