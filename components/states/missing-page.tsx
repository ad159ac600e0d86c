import Link from 'next/link'
import { buttonClass } from '#components/primitives/button.ts'

/** Missing and forbidden look the same. */
export function MissingPage() {
  return (
    <div className="flex flex-1 flex-col items-start px-5 py-10 max-md:px-4">
      <h1 className="font-semibold text-[16px]">There is nothing at this address</h1>
      <p className="mt-1 max-w-[60ch] text-[13px] text-ink2">
        It may be mistyped, belong to another organization, or have gone with a connection that was removed.
      </p>
      <Link href="/" className={`${buttonClass()} mt-4`}>
        Overview
      </Link>
    </div>
  )
}
