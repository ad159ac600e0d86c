import { type Commands, OPERATING_COMMANDS, withClient, withoutCode } from './operating-commands.ts'

/** All commands by name; run from the sources. */
export const COMMANDS: Commands = {
  start: async () => withoutCode((await import('./start.ts')).start),
  dev: async () => withoutCode((await import('./start.ts')).dev),
  build: async () => withoutCode((await import('./build.ts')).build),
  ...OPERATING_COMMANDS,
  test: async () => (await import('./test/test.ts')).test,
  sbom: async () => withoutCode((await import('./sbom.ts')).sbom),
  soak: async () => withClient(async () => (await import('#lib/soak/soak.ts')).soak),
  bench: async () => withClient(async () => (await import('#lib/bench/bench.ts')).bench),
}
