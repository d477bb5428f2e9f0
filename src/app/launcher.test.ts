import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { launcherCommand } from './launcher.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-launcher-')))
afterAll(() => rmSync(place, { recursive: true, force: true }))

test('a Ken run by npx is written as npx, on Windows through cmd', () => {
  const cached = '/home/me/.npm/_npx/1f/node_modules/kenbase/bin/ken.js'
  expect(launcherCommand({}, cached, 'linux')).toEqual(['npx', '-y', 'kenbase'])
  const windows = 'C:\\Users\\me\\AppData\\Local\\npm-cache\\_npx\\1f\\node_modules\\kenbase\\bin\\ken.js'
  expect(launcherCommand({}, windows, 'win32')).toEqual(['cmd', '/c', 'npx', '-y', 'kenbase'])
})

test.skipIf(process.platform === 'win32')(
  'an installed Ken is written as the ken on PATH, otherwise as Node with its path',
  () => {
    const own = join(place, 'ken.js')
    writeFileSync(own, '')
    expect(launcherCommand({ PATH: place }, own)).toEqual([process.execPath, own])
    symlinkSync(own, join(place, 'ken'))
    expect(launcherCommand({ PATH: ['/nowhere', place].join(delimiter) }, own)).toEqual([join(place, 'ken')])
  },
)
