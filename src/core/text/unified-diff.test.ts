import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileDiff, unifiedDiff } from './unified-diff.ts'

const NAMES = { before: 'a', after: 'b' }

test('equal texts have no difference', () => {
  expect(unifiedDiff('x\ny', 'x\ny', NAMES)).toBe('')
})

test('a changed line stands among three of its neighbours', () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`)
  const after = lines.with(9, 'other')
  expect(unifiedDiff(lines.join('\n'), after.join('\n'), NAMES)).toBe(
    [
      '--- a',
      '+++ b',
      '@@ -7,7 +7,7 @@',
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+other',
      ' line 11',
      ' line 12',
      ' line 13',
    ].join('\n'),
  )
})

test('git takes it for a patch that makes one text of the other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ken-diff-'))
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 16 })
    .map((lines) => lines.join('\n'))
  try {
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after)
        writeFileSync(join(folder, 'a'), `${before}\n`)
        writeFileSync(join(folder, 'patch'), `${unifiedDiff(before, after, { before: 'a/a', after: 'b/a' })}\n`)
        execFileSync('git', ['apply', '--unidiff-zero', 'patch'], { cwd: folder })
        return readFileSync(join(folder, 'a'), 'utf8') === `${after}\n`
      }),
      { numRuns: 40 },
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('texts that have nothing in common are replaced in one piece', () => {
  const many = (letter: string) => Array.from({ length: 3_000 }, (_, i) => `${letter}${i}`).join('\n')
  const diff = unifiedDiff(many('a'), many('b'), NAMES).split('\n')
  expect(diff).toHaveLength(6_003)
  expect(diff[2]).toBe('@@ -1,3000 +1,3000 @@')
})

test('patch takes the difference of a file, also of one that comes or goes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ken-diff-'))
  const five = 'a\nb\nc\nd\ne\n'
  try {
    for (const [before, after] of [
      [five, 'a\nb\nc\nX\nd\ne\n'],
      [undefined, 'a\nb\n'],
      [five, undefined],
    ]) {
      if (before !== undefined) writeFileSync(join(folder, 'f'), before)
      execFileSync('git', ['init', '-q'], { cwd: folder })
      const names = (diff: string) => diff.replace('--- f', '--- a/f').replace('+++ f', '+++ b/f')
      writeFileSync(join(folder, 'patch'), `${names(fileDiff('f', before, after))}\n`)
      execFileSync('git', ['apply', 'patch'], { cwd: folder })
      expect(existsSync(join(folder, 'f')) ? readFileSync(join(folder, 'f'), 'utf8') : undefined).toBe(after)
      rmSync(join(folder, 'f'), { force: true })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
