/** Resolves once the answer to the present input is on the screen: for what it leads to. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
  })
}
