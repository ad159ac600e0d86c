import { expect, test } from 'vitest'
import { toBrowserName } from './place.ts'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  ['curl/8.14.1', 'curl'],
  ['Mozilla/5.0 (compatible)', 'Another browser'],
  ['', null],
  [null, null],
])('names the browser and system of %s', (userAgent, name) => {
  expect(toBrowserName(userAgent)).toBe(name)
})

test.each([
  ['<script>alert(1)</script>'],
  [`${'x'.repeat(5000)}/1.0`],
  ['\u202Egnp.exe/1'],
  ['Mozilla/5.0 (\0Windows)'],
])('shows nothing that a client made up: %s', (userAgent) => {
  expect(toBrowserName(userAgent)).toMatch(/^(Another browser|[\w.-]{1,30})( on [A-Za-z]+)?$/)
})
