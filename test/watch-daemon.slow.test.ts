import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { launchdPlist, systemdUnit } from '../src/memory/domain/upkeep/service-unit.ts'
import { KEN } from './ken-program.ts'
import { openUpkeepDesk, speak, type UpkeepDesk } from './upkeep/desk.ts'
import { start, type Running } from './upkeep/process.ts'
import { until } from './upkeep/until.ts'

let desk: UpkeepDesk
let environment: Record<string, string>
const running: Running[] = []
beforeEach(() => {
  desk = openUpkeepDesk()
  // A PATH without any service manager, on every machine.
  mkdirSync(join(desk.home, 'bin'))
  environment = { ...desk.environment, PATH: join(desk.home, 'bin') }
})
afterEach(async () => {
  ken('watch', '--stop')
  for (const process of running.splice(0)) await process.end('SIGKILL')
  await desk.close()
})

function ken(...argv: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [KEN, ...argv], {
    cwd: desk.home,
    env: environment,
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

const service = (flag: string) => JSON.parse(ken('watch', flag, '--json').out).service
const finds = async (query: string): Promise<boolean> =>
  (await desk.run('memory_search', { query, workspace: 'all' }))['results'].length > 0
const say = (id: string, bird: string): void =>
  speak(desk.home, { id, at: new Date().toISOString(), said: [['Which bird?', `The ${bird}.`]] })
describe('ken watch --daemon without a service manager', () => {
  test('runs in a separate process, keeps the memory up to date, is started only once, and is stopped for good', async () => {
    expect(ken('watch', '--status')).toMatchObject({ code: 1, out: expect.stringContaining('does not run') })
    say('one', 'albatross')
    const first = service('--daemon')
    expect(first).toMatchObject({ manager: 'none', running: true, pid: expect.any(Number) })
    await until('the first session', () => finds('albatross'))
    say('two', 'bustard')
    await until('the second session', () => finds('bustard'))
    expect(service('--daemon').pid).toBe(first.pid)
    expect(ken('watch', '--status')).toMatchObject({ code: 0, out: expect.stringContaining(String(first.pid)) })
    expect(ken('watch', '--stop')).toMatchObject({ code: 0, out: expect.stringContaining('Stopped'), err: '' })
    expect(service('--status')).toMatchObject({ installed: false, running: false, fresh: false })
    expect(existsSync(join(desk.kenHome, 'watch.json'))).toBe(false)
    expect(ken('watch', '--stop')).toMatchObject({ code: 1, out: expect.stringContaining('does not run') })
  })

  test('a killed watcher leaves nothing harmful, and its stale pid is ignored', async () => {
    const { pid } = service('--daemon')
    process.kill(pid, 'SIGKILL')
    await until('its end', () => service('--status').running === false)
    // Simulates that another process, here this one, has been given the pid in the meantime.
    writeFileSync(join(desk.kenHome, 'watch.json'), JSON.stringify({ pid: process.pid }))
    expect(ken('watch', '--stop').code).toBe(1)
    expect(service('--daemon').pid).not.toBe(pid)
  })

  test('a process that cannot start is reported with its output', () => {
    writeFileSync(join(desk.kenHome, 'state.db'), 'not a database at all, but long enough to be read as one')
    const { code, err } = ken('watch', '--daemon')
    expect(code).not.toBe(0)
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(err).toContain('state.db')
  })

  test('--daemon and --stop together are refused', () => {
    expect(ken('watch', '--daemon', '--stop')).toMatchObject({
      code: 2,
      err: expect.stringContaining('combine --daemon and --stop'),
    })
  })
})

describe('ken watch --daemon with systemd', () => {
  /** Fake service manager: records its commands, and starts and stops the unit's command. */
  const SYSTEMCTL = `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync, existsSync } = require('node:fs')
const { spawn } = require('node:child_process')
const here = ${JSON.stringify('HERE')}
const [, verb, ...rest] = process.argv.slice(2)
appendFileSync(here + '/told', [verb, ...rest].join(' ') + '\\n')
const pidFile = here + '/pid'
const alive = () => { try { return existsSync(pidFile) && process.kill(Number(readFileSync(pidFile, 'utf8')), 0) } catch { return false } }
if (verb === 'show') console.log('ActiveState=' + (alive() ? 'active' : 'inactive') + '\\nMainPID=' + (alive() ? readFileSync(pidFile, 'utf8') : 0))
const end = () => {
  process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGTERM')
  while (alive()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
}
if (verb === 'restart' && alive()) end()
if (verb === 'restart' || (verb === 'start' && !alive())) {
  const unit = readFileSync(here + '/../.config/systemd/user/' + rest[0], 'utf8')
  const words = [...unit.match(/^ExecStart=(.*)$/m)[1].matchAll(/"((?:[^"\\\\]|\\\\.)*)"/g)].map((m) => m[1])
  const env = Object.fromEntries([...unit.matchAll(/^Environment="([A-Za-z_]+)=(.*)"$/gm)].map((m) => [m[1], m[2]]))
  const child = spawn(words[0], words.slice(1), { env, detached: true, stdio: 'ignore' })
  writeFileSync(pidFile, String(child.pid))
  child.unref()
}
if (verb === 'disable' && alive()) end()
`

  const unit = (): string => join(desk.home, '.config', 'systemd', 'user', 'ken-watch.service')

  beforeEach(() => {
    const path = join(desk.home, 'bin', 'systemctl')
    writeFileSync(path, SYSTEMCTL.replace('HERE', join(desk.home, 'bin')))
    chmodSync(path, 0o755)
  })

  test('writes a unit, starts it with every login, and removes all of it', async () => {
    say('one', 'albatross')
    expect(service('--daemon')).toMatchObject({ manager: 'systemd', installed: true, running: true, place: unit() })
    expect(statSync(unit()).mode & 0o777).toBe(0o600)
    await until('the first session', () => finds('albatross'))
    const told = readFileSync(join(desk.home, 'bin', 'told'), 'utf8')
    expect(told).toMatch(/daemon-reload\nenable ken-watch\.service\nrestart ken-watch\.service\n/)
    expect(ken('watch', '--daemon').code).toBe(0)
    expect(readFileSync(join(desk.home, 'bin', 'told'), 'utf8')).toMatch(/\nstart ken-watch\.service\n/)
    expect(ken('watch', '--stop')).toMatchObject({ code: 0, err: '' })
    expect(existsSync(unit())).toBe(false)
    expect(service('--status')).toMatchObject({ installed: false, running: false })
  })

  test('does not change a foreign unit of that name', () => {
    mkdirSync(join(unit(), '..'), { recursive: true })
    writeFileSync(unit(), '[Service]\nExecStart=/bin/true\n')
    for (const flag of ['--daemon', '--stop'])
      expect(ken('watch', flag)).toMatchObject({ code: 4, err: expect.stringContaining('not written by Ken') })
    expect(readFileSync(unit(), 'utf8')).toContain('/bin/true')
  })

  test('reports an error of the service manager in one line', () => {
    writeFileSync(
      join(desk.home, 'bin', 'systemctl'),
      '#!/bin/sh\ncase "$2" in enable) echo "Failed to enable unit: no way" >&2; exit 1;; esac\n',
    )
    expect(ken('watch', '--daemon')).toMatchObject({ code: 7, err: expect.stringMatching(/^ken: .*no way.*\n$/) })
  })
})

describe('service manager files', () => {
  const command = {
    words: ['/opt/a "b"/node', '/home/x y/100%/$HOME/ken.js', 'watch'],
    environment: { KEN_HOME: '/home/x & <y>/.ken', PATH: '/bin:/usr/bin' },
    log: '/home/x/.ken/watch.log',
  }

  test('a unit quotes characters that systemd would interpret', () => {
    expect(systemdUnit(command)).toContain(
      'ExecStart="/opt/a \\"b\\"/node" "/home/x y/100%%/$$HOME/ken.js" "watch"\nEnvironment="KEN_HOME=/home/x & <y>/.ken"\n',
    )
  })

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).error === undefined

  test.skipIf(!hasSystemd)('systemd itself finds no fault with a unit', () => {
    const path = join(desk.home, 'ken-watch.service')
    writeFileSync(path, systemdUnit({ ...command, words: [process.execPath, KEN, 'watch'] }))
    const env = { ...process.env, XDG_RUNTIME_DIR: desk.home }
    execFileSync('systemd-analyze', ['verify', '--user', path], { stdio: 'pipe', env })
  })

  test('a launchd agent is XML that preserves every argument', () => {
    const plist = launchdPlist('dev.kenbase.ken-watch', command)
    expect(plist).toContain('<string>/opt/a &quot;b&quot;/node</string>')
    expect(plist).toContain('<string>/home/x &amp; &lt;y&gt;/.ken</string>')
    expect(plist.match(/<!--(?:(?!-->)[\s\S])*-->/)?.[0]).not.toMatch(/<!--.*--.*-->/)
    for (const tag of ['dict', 'array', 'plist', 'string', 'key'])
      expect([tag, plist.split(`<${tag}`).length]).toEqual([tag, plist.split(`</${tag}>`).length])
  })
})

test('a watch in a terminal counts as the service, and another home has a separate service', async () => {
  const process = start([KEN, 'watch', '--json'], { cwd: desk.home, env: environment })
  running.push(process)
  await until('the watch', () => service('--status').running)
  expect(service('--status').pid).toBe(process.pid)
  expect(service('--daemon').pid).toBe(process.pid)
  expect(ken('watch', '--stop').code).toBe(0)
  expect((await process.end()).code).toBe(0)
})
