import { expect, test } from 'vitest'
import { releaseInQuestion, timeOfRelease } from './release-in-question.ts'

test.each([
  ['what did we change before the release?', 'before', 'latest', 'what did we change?'],
  ['what failed since the last release', 'since', 'latest', 'what failed'],
  ['what did we fix after v1.2.0', 'after', ['refs/tags/v1.2.0', 'refs/tags/1.2.0'], 'what did we fix'],
  ['errors since version 2.1', 'since', ['refs/tags/v2.1', 'refs/tags/2.1'], 'errors'],
  ['which cache did we use before commit 3f2c1ab', 'before', ['3f2c1ab'], 'which cache did we use'],
  ['was haben wir seit der letzten Version geändert', 'since', 'latest', 'was haben wir geändert'],
  ['qu’avons-nous changé depuis la dernière version', 'since', 'latest', 'qu’avons-nous changé'],
  ['qué cambiamos después de la última versión', 'after', 'latest', 'qué cambiamos'],
])('%s: %s', (text, side, revisions, rest) => {
  expect(releaseInQuestion(text)).toEqual({ side, revisions, rest })
})

test.each([
  'what must we do before the release',
  'the release notes after review',
  'why is the cache off before 3.5 seconds',
  'before releases we run the tests',
  'how does version 2.1 store keys',
])('no release is read from "%s"', (text) => expect(releaseInQuestion(text)).toBeUndefined())

test('the time of a release is shown with its name and day', () => {
  const [at, now] = [Date.parse('2026-11-03T10:00:00Z'), Date.parse('2026-11-18T10:00:00Z')]
  const asked = releaseInQuestion('what failed before v1.2')!
  expect(timeOfRelease(asked, { at, name: 'v1.2' }, now)).toEqual({
    span: { from: 0, to: at - 1 },
    shown: 'before v1.2 (3 November 2026)',
    order: undefined,
    rest: 'what failed',
  })
  expect(timeOfRelease({ ...asked, side: 'since' }, { at, name: 'v1.2' }, now).span).toEqual({ from: at, to: now })
})
