import { constants, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPlainFile } from './plain-file.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-plain-')))
const at = (name: string) => join(place, name)
afterAll(() => rmSync(place, { recursive: true, force: true }))

beforeAll(() => {
  writeFileSync(at('plain'), 'text')
  writeFileSync(at('empty'), '')
  linkSync(at('plain'), at('second-name'))
  symlinkSync(at('plain'), at('link'))
  mkdirSync(at('folder'))
})

const WINDOWS = { flags: constants.O_RDONLY, canRefuseLinks: false }

describe.each([
  ['here', undefined],
  ['where no flag refuses links', WINDOWS],
])('%s', (_, how) => {
  test('reads a plain file under each of its names', () => {
    expect(readPlainFile(at('plain'), 4, how)?.toString()).toBe('text')
    expect(readPlainFile(at('second-name'), 4, how)?.toString()).toBe('text')
    expect(readPlainFile(at('empty'), 4, how)).toHaveLength(0)
  })

  test('returns nothing for a link, a folder, a file that is too large or a missing one', () => {
    for (const name of ['link', 'folder', 'none']) expect(readPlainFile(at(name), 4, how)).toBeUndefined()
    expect(readPlainFile(at('plain'), 3, how)).toBeUndefined()
  })
})
