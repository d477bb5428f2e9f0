import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHomeFiles } from './index.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ken-home-files-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('finds a text anywhere in a file, including across read boundaries and in hidden files', async () => {
  mkdirSync(join(home, 'deep/.hidden'), { recursive: true })
  const needle = 'nädel im heu'
  const size = Buffer.byteLength(needle)
  const places = { start: 0, across: (1 << 20) - 5, afterAcross: (1 << 20) + 3, end: (1 << 21) + 17 }
  for (const [name, at] of Object.entries(places)) {
    const bytes = Buffer.alloc((1 << 21) + 17 + size, 0x2e)
    bytes.write(needle, at)
    writeFileSync(join(home, 'deep/.hidden', name), bytes)
  }
  writeFileSync(join(home, 'other'), 'nadel im heu')
  const { traces, searched } = await openHomeFiles(home).find([needle, 'nowhere', ''])
  expect(traces.map(({ path }) => path)).toEqual(
    Object.keys(places)
      .sort()
      .map((name) => join(home, 'deep/.hidden', name)),
  )
  expect(searched).toBe(5)
})

test('rewriting keeps text that another process appends meanwhile', async () => {
  const path = join(home, 'notes.md')
  writeFileSync(path, 'one\ntwo\n')
  await openHomeFiles(home).rewrite(path, (text) => {
    appendFileSync(path, 'three\n')
    return text.replace('one\n', '')
  })
  expect(readFileSync(path, 'utf8')).toBe('two\nthree\n')
  await openHomeFiles(home).rewrite(path, () => '')
  expect(existsSync(path)).toBe(false)
})
