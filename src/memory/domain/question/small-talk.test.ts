import { expect, test } from 'vitest'
import { isSmallTalk } from './small-talk.ts'

test.each([
  'hello',
  'Thanks!',
  'thanks a lot 🙏',
  'ok, go ahead',
  'looks good to me',
  'hahaha',
  'Guten Morgen!',
  'Vielen Dank, passt',
  'merci beaucoup',
  'muchas gracias',
])('"%s" is small talk', (text) => expect(isSmallTalk(text)).toBe(true))

test.each([
  'next steps for billing',
  'stop signal',
  'hello world example',
  'thanks page',
  'ECONNRESET',
  'run the tests',
  'good defaults',
  'please flag',
  '',
  'it is the',
  'yes '.repeat(40),
])('"%s" is not', (text) => expect(isSmallTalk(text)).toBe(false))
