import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { KEN } from './ken-program.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-pipe-')))
const repository = join(place, 'shop')
mkdirSync(repository)
afterAll(() => rmSync(place, { recursive: true, force: true }))

const env = { PATH: process.env['PATH']!, HOME: join(place, 'home'), KEN_TELEMETRY: '0' }
const start = (words: readonly string[]) =>
  spawn(process.execPath, [KEN, ...words], { cwd: repository, env, stdio: ['ignore', 'pipe', 'pipe'] })

test.each([
  'start --yes',
  'list',
  'list --json',
  'start --help',
  '--version',
  'completion bash',
  'server --help',
  'auth --help',
])('`ken %s` ends quietly when nothing reads its output', async (line) => {
  const ken = start(line.split(' '))
  ken.stdout.destroy()
  const [errors, [status]] = await Promise.all([text(ken.stderr), once(ken, 'close')])
  expect({ errors, status }).toEqual({ errors: '', status: 0 })
})

test('a refusal keeps its exit code when nothing reads standard error', async () => {
  const ken = start(['show', '99'])
  ken.stderr.destroy()
  expect((await once(ken, 'close'))[0]).toBe(3)
})

test.runIf(process.platform === 'linux')('a full disk under the output is one line and exit code 7', () => {
  const { status, stderr } = spawnSync('sh', ['-c', `"$0" "$1" list > /dev/full`, process.execPath, KEN], {
    cwd: repository,
    env,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({
    status: 7,
    stderr: 'ken: Cannot write to standard output: ENOSPC: no space left on device, write.\n',
  })
})
