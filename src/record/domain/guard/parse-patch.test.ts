import { expect, test } from 'vitest'
import { filesInDiff } from './parse-patch.ts'

test('reads files, states and line numbers of a diff with context', () => {
  const diff = [
    'diff --git a/src/a.ts b/src/a.ts',
    'index 1..2 100644',
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '@@ -9,4 +9,5 @@ export',
    ' one',
    '',
    '--- not a header',
    '+two',
    '++++ not a header either',
    ' three',
    'diff --git a/old.ts b/new.ts',
    '--- a/old.ts',
    '+++ b/new.ts',
    '@@ -1 +1 @@',
    '-x',
    '+y',
    '--- a/gone.ts',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-z',
    '--- /dev/null',
    '+++ b/made.ts',
    '@@ -0,0 +1 @@',
    '+z',
    '',
  ].join('\n')
  expect(filesInDiff(diff).map(({ path, status, previousPath }) => [path, status, previousPath])).toEqual([
    ['src/a.ts', 'modified', undefined],
    ['new.ts', 'renamed', 'old.ts'],
    ['gone.ts', 'deleted', undefined],
    ['made.ts', 'added', undefined],
  ])
  const [first] = filesInDiff(diff)
  expect(first).toMatchObject({
    removed: ['-- not a header'],
    added: [
      { line: 11, text: 'two' },
      { line: 12, text: '+++ not a header either' },
    ],
  })
})

test('ignores a text that is not a diff', () => {
  expect(filesInDiff('Dear all,\n\nnothing changed.\n')).toEqual([])
})
