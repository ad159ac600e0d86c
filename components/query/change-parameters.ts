/**
 * Changes the address's parameters that only the browser reads, without asking the server for the
 * page again. A step is one that Back undoes.
 */
export function changeParameters(edit: (params: URLSearchParams) => void, { isStep }: { isStep: boolean }): void {
  const address = new URL(window.location.href)
  edit(address.searchParams)
  window.history[isStep ? 'pushState' : 'replaceState'](null, '', address)
}
