import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { scanCode } from '../src/memory/documents/scan-code.ts'
import type { CodeLimits } from '../src/memory/ports/documents.ts'

const place = mkdtempSync(join(tmpdir(), 'ken-code-'))
afterEach(() => rmSync(place, { recursive: true, force: true }))
const LIMITS: CodeLimits = { exclude: [], extensions: [], maxFileSize: 1000, maxSize: 10_000, maxFiles: 100 }

async function scan(files: Readonly<Record<string, string>>, limits: Partial<CodeLimits> = {}) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(place, path, '..'), { recursive: true })
    writeFileSync(join(place, path), text)
  }
  const found = await scanCode(place, { ...LIMITS, ...limits })
  return {
    files: found.files.map(({ relative }) => relative).toSorted(),
    over: found.overBudget.map(({ path, reason }) => `${path.slice(place.length + 1)}: ${reason}`),
  }
}

test('nested .gitignore files, anchors and exceptions work as in git', async () => {
  const { files } = await scan({
    '.gitignore': '*.log.ts\n/only-root.ts\ngenerated/*\n!generated/keep.ts\n',
    'a.ts': '',
    'x.log.ts': '',
    'only-root.ts': '',
    'sub/only-root.ts': '',
    'generated/gone.ts': '',
    'generated/keep.ts': '',
    'sub/.gitignore': '!x.log.ts\nb.ts\n',
    'sub/x.log.ts': '',
    'sub/b.ts': '',
    'b.ts': '',
  })
  expect(files).toEqual(['a.ts', 'b.ts', 'generated/keep.ts', 'sub/only-root.ts', 'sub/x.log.ts'])
})

test('generated folders and binaries are never read, and the user’s excludes and extensions apply', async () => {
  const files = {
    'node_modules/x/index.js': '',
    'dist/a.js': '',
    'a.min.js': '',
    'logo.png': '',
    'src/a.py': '',
    'src/b.rb': '',
    'fixtures/c.py': '',
  }
  expect((await scan(files)).files).toEqual(['fixtures/c.py', 'src/a.py', 'src/b.rb'])
  expect((await scan(files, { exclude: ['fixtures/'], extensions: ['py'] })).files).toEqual(['src/a.py'])
})

test('files beyond a limit are left out and reported', async () => {
  const files = { 'a.ts': 'x'.repeat(900), 'b.ts': 'x'.repeat(2000), 'c.ts': 'x'.repeat(900), 'd.ts': 'x' }
  expect(await scan(files, { maxSize: 1500 })).toEqual({
    files: ['a.ts', 'd.ts'],
    over: ['b.ts: larger than codebase.maxFileSize', 'c.ts: beyond codebase.maxSize'],
  })
  expect((await scan(files, { maxFiles: 1 })).files).toEqual(['a.ts'])
})
