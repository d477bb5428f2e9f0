import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openKen } from '../src/app/open.ts'

let place: string
let home: string
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-home-')))
  home = join(place, 'ken')
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

async function open(at = home): Promise<string[]> {
  const said: string[] = []
  await openKen({ HOME: place, KEN_HOME: at, KEN_TELEMETRY: '0' }, (message) => said.push(message)).close()
  return said
}
const modeOf = (...path: string[]) => statSync(join(...path)).mode & 0o777

describe.skipIf(process.platform === 'win32')('the home of Ken', () => {
  test.each([0o755, 0o777, 0o750, 0o710, 0o701])(
    'is silently made private to its owner if its mode was %o',
    async (mode) => {
      mkdirSync(join(home, 'sessions'), { recursive: true })
      writeFileSync(join(home, 'http-token'), 'ken_0123456789abcdef\n')
      writeFileSync(join(home, 'config.yml'), '')
      for (const [path, open] of [
        [join(home, 'sessions'), 0o755],
        [join(home, 'http-token'), 0o644],
        [join(home, 'config.yml'), 0o664],
        [home, mode],
      ] as const)
        chmodSync(path, open)
      expect(await open()).toEqual([])
      expect(modeOf(home)).toBe(0o700)
      expect(modeOf(home, 'sessions')).toBe(0o700)
      expect(modeOf(home, 'http-token')).toBe(0o600)
      expect(modeOf(home, 'config.yml')).toBe(0o600)
    },
  )

  test('is private to its owner when it is created', async () => {
    expect(await open()).toEqual([])
    expect(modeOf(home)).toBe(0o700)
  })

  test('behind a link is made private at its target', async () => {
    mkdirSync(join(place, 'disk'))
    chmodSync(join(place, 'disk'), 0o755)
    symlinkSync(join(place, 'disk'), home)
    expect(await open()).toEqual([])
    expect(modeOf(place, 'disk')).toBe(0o700)
  })

  test('does not change the targets of links in it', async () => {
    mkdirSync(home)
    writeFileSync(join(place, 'shared.txt'), '')
    chmodSync(join(place, 'shared.txt'), 0o644)
    symlinkSync(join(place, 'shared.txt'), join(home, 'shared.txt'))
    chmodSync(home, 0o755)
    await open()
    expect(modeOf(place, 'shared.txt')).toBe(0o644)
  })

  test('is reported if it is below a world-writable folder', async () => {
    mkdirSync(join(place, 'open'))
    chmodSync(join(place, 'open'), 0o777)
    expect(await open(join(place, 'open', 'ken'))).toEqual([
      expect.stringContaining(`Others may rename what lies in ${join(place, 'open')}`),
    ])
    chmodSync(join(place, 'open'), 0o1777)
    expect(await open(join(place, 'open', 'ken'))).toEqual([])
  })

  test('created inside a repository is ignored by git', async () => {
    mkdirSync(join(place, '.git'))
    await open()
    expect(readFileSync(join(home, '.gitignore'), 'utf8')).toBe('*\n')
  })

  test('elsewhere gets no .gitignore', async () => {
    await open()
    expect(existsSync(join(home, '.gitignore'))).toBe(false)
  })

  test.runIf(process.getuid?.() === 0)('is left unchanged and reported if it belongs to another user', async () => {
    const { chownSync } = await import('node:fs')
    mkdirSync(home)
    chmodSync(home, 0o755)
    chownSync(home, 12_345, 12_345)
    expect(await open()).toEqual([expect.stringContaining('belongs to another user')])
    expect(modeOf(home)).toBe(0o755)
  })
})
