import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { diskFiles } from '../src/kernel/system/files.ts'

const place = mkdtempSync(join(tmpdir(), 'ken-list-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

test('lists plain files below a folder, and follows no link out of it or in a circle', async () => {
  mkdirSync(join(place, 'docs/adr'), { recursive: true })
  mkdirSync(join(place, 'private'))
  writeFileSync(join(place, 'docs/adr/0001-a.md'), '# A')
  writeFileSync(join(place, 'private/diary.md'), '# Diary')
  symlinkSync(join(place, 'private'), join(place, 'docs/notes'))
  symlinkSync('.', join(place, 'docs/one'))
  symlinkSync('.', join(place, 'docs/two'))
  expect(await diskFiles.list(join(place, 'docs'))).toEqual(['adr/0001-a.md'])
})
