import { buttonClass } from '#components/primitives/button.ts'

/** Missing and forbidden look the same. */
export function MissingPage() {
  return (
    <div className="flex flex-1 flex-col items-start px-5 py-10 max-md:px-4">
      <h1 className="font-semibold text-[16px]">Page not found</h1>
      <p className="mt-1 max-w-[60ch] text-[13px] text-ink2">
        The address may be mistyped, belong to another organization, or have been removed with its connection.
      </p>
      {/* a whole page load: every page carries this one, so it stays without the router */}
      <a href="/" className={`${buttonClass()} mt-4`}>
        Overview
      </a>
    </div>
  )
}
