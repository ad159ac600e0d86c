import { expect, test, vi } from 'vitest'
import { parseFailpointFlag } from './failpoint-flag.ts'

test('kills the process at the named place, the n-th time only', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
  const failpoint = parseFailpointFlag('after-commit:2=kill')
  failpoint('after-commit')
  failpoint('before-commit')
  expect(kill).not.toHaveBeenCalled()
  failpoint('after-commit')
  failpoint('after-commit')
  expect(kill.mock.calls).toEqual([[process.pid, 'SIGKILL']])
  kill.mockRestore()
})

test.each(['after-commit', 'after-commit:x=kill', 'somewhere:1=kill', 'after-commit:1=sleep'])('refuses %s', (flag) => {
  expect(() => parseFailpointFlag(flag)).toThrow('--failpoint must be')
})
