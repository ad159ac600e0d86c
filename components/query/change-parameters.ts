/**
 * Changes parameters that only the browser reads, without reloading the page. With `isStep`, Back
 * undoes it.
 */
export function changeParameters(edit: (params: URLSearchParams) => void, { isStep }: { isStep: boolean }): void {
  const address = new URL(window.location.href)
  edit(address.searchParams)
  window.history[isStep ? 'pushState' : 'replaceState'](null, '', address)
}
