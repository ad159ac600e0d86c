/**
 * The one value of this name in the process, made when it is first asked for: the web server's
 * bundles hold several copies of a module, and each would make its own.
 */
export function processWide<T>(name: `tieout${string}`, make: () => NonNullable<T>): NonNullable<T> {
  const values = globalThis as unknown as Record<string, NonNullable<T> | undefined>
  values[name] ??= make()
  return values[name]
}
