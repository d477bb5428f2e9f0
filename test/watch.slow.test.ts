import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { startBackgroundUpkeep } from '../src/app/background-upkeep.ts'
import { openDocumentWatcher } from '../src/kernel/watch/directories.ts'
import { KEN } from './ken-program.ts'
import { openUpkeepDesk, speak, type UpkeepDesk } from './upkeep/desk.ts'
import { start, type Running } from './upkeep/process.ts'
import { until } from './upkeep/until.ts'

const at = '2026-05-01T10:00:00Z'

describe('ken watch', () => {
  const running: Running[] = []
  let desk: UpkeepDesk
  const watch = (): Running => {
    const process = start([KEN, 'watch', '--json'], { cwd: desk.home, env: desk.environment })
    running.push(process)
    return process
  }
  afterEach(async () => {
    for (const process of running.splice(0)) await process.end('SIGKILL')
    await desk.close()
  })
  const finds = async (query: string) =>
    (await desk.run('memory_search', { query, workspace: 'all' }))['results'].length > 0

  test('harvests, follows changed files and new collections, and stops cleanly on Ctrl-C', async () => {
    desk = openUpkeepDesk()
    await desk.set('upkeep.interval', '5')
    mkdirSync(join(desk.home, 'docs'))
    writeFileSync(join(desk.home, 'docs', 'a.md'), '# A\n\nThe word is albatross.\n')
    await desk.run('collection_add', { name: 'docs', path: join(desk.home, 'docs') })
    speak(desk.home, { id: 'one', at, said: [['Which bird?', 'The bustard.']] })
    const process = watch()
    await until('the first cycle', () => finds('bustard'))
    await until('the collection', () => finds('albatross'))
    writeFileSync(join(desk.home, 'docs', 'a.md'), '# A\n\nThe word is cassowary.\n')
    await until('the changed file', async () => (await finds('cassowary')) && !(await finds('albatross')))
    mkdirSync(join(desk.home, 'more'))
    writeFileSync(join(desk.home, 'more', 'b.md'), '# B\n\nThe word is erpornis.\n')
    await desk.run('collection_add', { name: 'more', path: join(desk.home, 'more') })
    speak(desk.home, { id: 'two', at, said: [['Which bird?', 'The dotterel.']] })
    await until('the next cycle', async () => (await finds('dotterel')) && finds('erpornis'))
    const { code, out, err } = await process.end('SIGINT')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({ harvested: 2, evicted: 0, warnings: [] })
  }, 240_000)

  test('a server harvests in the background, unless a setting disables it', async () => {
    desk = openUpkeepDesk()
    speak(desk.home, { id: 'one', at, said: [['Which bird?', 'The bustard.']] })
    const warnings: string[] = []
    const background = startBackgroundUpkeep(desk.context(), (line) => warnings.push(line), { headStart: 0 })
    await until('the first cycle', () => finds('bustard'))
    await background.stop()
    await desk.set('upkeep.background', 'false')
    speak(desk.home, { id: 'two', at, said: [['Which bird?', 'The dotterel.']] })
    const idle = startBackgroundUpkeep(desk.context(), (line) => warnings.push(line), { headStart: 0 })
    await idle.stop()
    expect(Object.keys(desk.sessions())).toHaveLength(1)
    expect(warnings).toEqual([])
  }, 120_000)

  test('a file in a newly added collection is found before the next cycle', async () => {
    desk = openUpkeepDesk()
    await desk.set('upkeep.interval', '3600')
    speak(desk.home, { id: 'one', at, said: [['Which bird?', 'The bustard.']] })
    const background = startBackgroundUpkeep(desk.context(), () => {}, { headStart: 0 })
    await until('the first cycle', () => finds('bustard'))
    mkdirSync(join(desk.home, 'more'))
    await desk.run('collection_add', { name: 'more', path: join(desk.home, 'more') })
    writeFileSync(join(desk.home, 'more', 'b.md'), '# B\n\nThe word is erpornis.\n')
    await until('the new file', () => finds('erpornis'))
    await background.stop()
  }, 60_000)

  test('only one of two watchers works, and the other takes over when the first is killed', async () => {
    desk = openUpkeepDesk()
    await desk.set('upkeep.interval', '5')
    speak(desk.home, { id: 'one', at, said: [['Which bird?', 'The bustard.']] })
    const first = watch()
    await until('the first to work', () => Object.keys(desk.sessions()).length === 1)
    const second = watch()
    speak(desk.home, { id: 'two', at, said: [['Which bird?', 'The dotterel.']] })
    // A session can be found once the cycle that harvested it is over; if a cycle is killed before, it is started
    // again.
    await until('the next cycle', () => finds('dotterel'))
    await first.end('SIGKILL')
    speak(desk.home, { id: 'three', at, said: [['Which bird?', 'The egret.']] })
    await until('the second to take over', () => finds('egret'))
    const { code, out, err } = await second.end('SIGTERM')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({ harvested: 1, warnings: [] })
  }, 240_000)
})

describe('the watcher', () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-watch-')))
  const [notes, docs, later] = ['notes', 'docs', 'later'].map((name) => join(place, name)) as [string, string, string]
  afterEach(() => rmSync(place, { recursive: true, force: true }))

  test('reports a folder once for many writes, notices new folders, and ignores hidden and foreign files', async () => {
    mkdirSync(notes)
    mkdirSync(join(docs, 'node_modules'), { recursive: true })
    const told: string[][] = []
    const watching = await openDocumentWatcher({ quiet: 300 }).watch([notes, docs, later], {
      changed: (folders) => told.push([...folders].sort()),
      failed: (message) => told.push([message]),
    })
    for (let i = 0; i < 20; i++) writeFileSync(join(notes, `${i}.md`), 'x')
    await until('the notes', () => told.length > 0)
    expect(new Set(told.flat())).toEqual(new Set([notes]))
    expect(told.length).toBeLessThan(5)
    writeFileSync(join(docs, 'node_modules', 'x.md'), 'x')
    writeFileSync(join(docs, '.draft.md.tmp'), 'x')
    mkdirSync(later)
    writeFileSync(join(later, 'x.md'), 'x')
    await until('the folder made later', () => told.some((folders) => folders.includes(later)))
    expect(told.flat()).not.toContain(docs)
    await watching.close()
  })

  test('follows new folders at any depth, and a folder that was replaced by another with the same name', async () => {
    mkdirSync(docs, { recursive: true })
    const told: string[] = []
    const watching = await openDocumentWatcher({ quiet: 100 }).watch([docs], {
      changed: (folders) => told.push(...folders),
      failed: (message) => told.push(message),
    })
    // Three reports: one or two may still be about earlier changes.
    const hears = async (path: string): Promise<void> => {
      for (let reports = 0; reports < 3; reports++) {
        told.length = 0
        writeFileSync(path, `${reports}`)
        await until(`a change of ${path}`, () => told.length > 0)
      }
    }
    mkdirSync(join(docs, 'deep', 'deeper'), { recursive: true })
    await until('the new folders', () => told.includes(docs))
    await hears(join(docs, 'deep', 'deeper', 'a.md'))
    renameSync(docs, join(place, 'moved'))
    mkdirSync(docs)
    await hears(join(docs, 'b.md'))
    expect(new Set(told)).toEqual(new Set([docs]))
    await watching.close()
  })
})
