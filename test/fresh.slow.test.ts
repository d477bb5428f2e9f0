import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSessionWatcher } from '../src/kernel/watch/directories.ts'
import { KEN } from './ken-program.ts'
import { openUpkeepDesk, speak, type UpkeepDesk } from './upkeep/desk.ts'
import { until } from './upkeep/until.ts'

let desk: UpkeepDesk
const servers: ChildProcess[] = []
beforeEach(async () => {
  desk = openUpkeepDesk()
  // Too long for an upkeep cycle to find anything in these tests.
  await desk.set('upkeep.interval', '3600')
})
afterEach(async () => {
  for (const server of servers.splice(0)) server.kill('SIGKILL')
  await desk.close()
})

/** Starts `ken serve` as a client does: it runs while its standard input is open. */
function serve(): ChildProcess {
  const server = spawn(process.execPath, [KEN, 'serve'], {
    cwd: desk.home,
    env: desk.environment,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  servers.push(server)
  return server
}

const say = (id: string, bird: string): void =>
  speak(desk.home, { id, at: new Date().toISOString(), said: [['Which bird?', `The ${bird}.`]] })

const finds = async (query: string): Promise<boolean> =>
  (await desk.run('memory_search', { query, workspace: 'all' }))['results'].length > 0

describe('a running server keeps the memory fresh automatically', () => {
  test('adds the first session of a new client, and new turns of a session that continues', async () => {
    serve()
    await until('the first cycle', () => desk.run('memory_status').then(({ last_harvest: at }) => at !== undefined))
    say('one', 'albatross')
    await until('a new client', () => finds('albatross'))
    say('two', 'bustard')
    await until('a new session', () => finds('bustard'))
    for (const bird of ['cassowary', 'dotterel', 'erpornis']) {
      say('two', bird)
      await until('a session that went on', () => finds(bird))
    }
    expect(Object.keys(desk.sessions())).toHaveLength(2)
  })

  test('the next server takes over when the first is killed', async () => {
    const first = serve()
    say('one', 'albatross')
    await until('the first session', () => finds('albatross'))
    serve()
    first.kill('SIGKILL')
    say('two', 'bustard')
    await until('the second server', () => finds('bustard'))
  })

  test('applies changed settings: a shorter retention is used at its next cycle', async () => {
    await desk.set('upkeep.interval', '5')
    serve()
    speak(desk.home, { id: 'old', at: '2020-01-01T00:00:00Z', said: [['Which bird?', 'The auk.']] })
    await until('the session', () => finds('auk'))
    await desk.set('storage.retention', '30d')
    await until('its eviction', async () => !(await finds('auk')))
    await desk.set('storage.retention', 'off')
    await until('its return', () => finds('auk'))
  })
})

describe('the watcher of directories', () => {
  test('reports growing files and new folders with files, and ignores skipped paths', async () => {
    const root = join(desk.home, 'client')
    mkdirSync(join(root, 'a', 'log'), { recursive: true })
    writeFileSync(join(root, 'a', 'one.jsonl'), 'x')
    let told = 0
    const watching = await openSessionWatcher({ quiet: 100 }).watch([root], {
      changed: () => void (told += 1),
      failed: () => undefined,
    })
    const next = async (what: string, act: () => void): Promise<void> => {
      const before = told
      act()
      await until(what, () => told > before)
    }
    await next('a file that grows', () => writeFileSync(join(root, 'a', 'one.jsonl'), 'xy'))
    await next('a folder', () => mkdirSync(join(root, 'b', 'c'), { recursive: true }))
    await next('a file in it', () => writeFileSync(join(root, 'b', 'c', 'two.jsonl'), 'x'))
    await next('a file that goes', () => rmSync(join(root, 'b', 'c', 'two.jsonl')))
    await until('silence', async () => {
      const before = told
      await new Promise((resolve) => setTimeout(resolve, 500))
      return told === before
    })
    const before = told
    writeFileSync(join(root, 'a', 'log', 'today'), 'x')
    await next('something else', () => writeFileSync(join(root, 'a', 'one.jsonl'), 'xyz'))
    expect(told).toBe(before + 1)
    await watching.close()
  })
})
