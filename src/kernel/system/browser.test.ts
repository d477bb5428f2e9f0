import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openInBrowser } from './browser.ts'

let folder: string
const path = process.env['PATH']!
beforeEach(() => void (folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-browser-')))))
afterEach(() => {
  process.env['PATH'] = path
  rmSync(folder, { recursive: true, force: true })
})

const DESKTOP = { platform: 'linux', environment: { DISPLAY: ':0' } }

/** Puts a program of that name first on the path; it records its arguments. */
function install(name: string, exit: number): void {
  const program = join(folder, name)
  writeFileSync(
    program,
    `#!/bin/sh\nfor word in "$@"; do printf '%s\\n' "$word"; done > ${join(folder, 'said')}\nexit ${exit}\n`,
  )
  chmodSync(program, 0o755)
  process.env['PATH'] = `${folder}${delimiter}${path}`
}

const said = (): string[] => readFileSync(join(folder, 'said'), 'utf8').trimEnd().split('\n')

test.skipIf(process.platform === 'win32')('the path is one word, whatever is in it', async () => {
  install('xdg-open', 0)
  const hostile = `/tmp/a b; touch ${join(folder, 'broken')} $(touch ${join(folder, 'broken')}) &.html`
  expect(await openInBrowser(hostile, DESKTOP)).toEqual({ problem: undefined })
  expect(said()).toEqual([hostile])
  expect(existsSync(join(folder, 'broken'))).toBe(false)
})

test.skipIf(process.platform === 'win32')('every system has its own opener', async () => {
  install('open', 0)
  expect(await openInBrowser('/tmp/x.html', { platform: 'darwin', environment: {} })).toEqual({ problem: undefined })
  expect(said()).toEqual(['/tmp/x.html'])
  install('rundll32', 0)
  expect(await openInBrowser('C:\\x.html', { platform: 'win32', environment: {} })).toEqual({ problem: undefined })
  expect(said()).toEqual(['url.dll,FileProtocolHandler', 'C:\\x.html'])
})

test.skipIf(process.platform === 'win32')('reports failures instead of throwing', async () => {
  expect(await openInBrowser('/x', { platform: 'linux', environment: {} })).toEqual({
    problem: 'there is no desktop here',
  })
  install('xdg-open', 3)
  expect(await openInBrowser('/x', DESKTOP)).toEqual({ problem: 'xdg-open failed' })
  process.env['PATH'] = '/nowhere'
  expect(await openInBrowser('/x', { platform: 'linux', environment: { WAYLAND_DISPLAY: 'wayland-0' } })).toEqual({
    problem: 'xdg-open is not installed',
  })
})
