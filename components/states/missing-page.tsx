import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'

/** Missing and forbidden look the same. */
export function MissingPage() {
  return (
    <div className="flex flex-1 flex-col items-start px-5 py-10 max-md:px-4">
      <h1 className="font-semibold text-[16px]">Page not found</h1>
      <p className="mt-1 max-w-[60ch] text-[13px] text-ink2">
        The address may be mistyped, belong to another organization, or have been removed with its connection.
      </p>
      <Link href="/" className={`${buttonClass()} mt-4`}>
        Overview
      </Link>
    </div>
  )
}
