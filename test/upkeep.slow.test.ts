import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, test } from 'vitest'
import { openSessionFiles } from '../src/memory/adapters/files-sessions.ts'
import { daysAgo, filesBelow, openUpkeepDesk, speak, transcriptPath, type UpkeepDesk } from './upkeep/desk.ts'

const desks: UpkeepDesk[] = []
const openDesk = (): UpkeepDesk => {
  const desk = openUpkeepDesk()
  desks.push(desk)
  return desk
}
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close()
})

const cycle = (desk: UpkeepDesk, ...replaced: Parameters<UpkeepDesk['run']>[2][]) =>
  desk.run('watch', { once: true }, ...replaced)
const ids = (desk: UpkeepDesk): string[] =>
  Object.values(desk.sessions())
    .map(({ session }) => session)
    .sort()
const indexBytes = (desk: UpkeepDesk): number =>
  ['', '-wal'].reduce(
    (sum, end) => sum + (statSync(join(desk.kenHome, `index.db${end}`), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
const sessionBytes = (desk: UpkeepDesk): number =>
  filesBelow(join(desk.kenHome, 'sessions')).reduce(
    (sum, path) => sum + statSync(join(desk.kenHome, 'sessions', path)).size,
    0,
  )

/** Text of about `bytes` bytes, in words unique to the seed. */
const words = (seed: string, bytes: number): string =>
  Array.from({ length: bytes / 12 }, (_, i) => `w${seed}q${(i * 7919) % 100_003}z`).join(' ')

const talk = (desk: UpkeepDesk, id: string, days: number, text = `About ${id}.`): void =>
  speak(desk.home, { id, at: daysAgo(days), said: [['Say it.', text]] })

describe('retention', () => {
  test('counts from the end of the conversation, not from the age of the file', async () => {
    const desk = openDesk()
    for (const [id, days] of [
      ['old', 40],
      ['young', 20],
    ] as const)
      talk(desk, id, days)
    await cycle(desk)
    for (const path of filesBelow(join(desk.kenHome, 'sessions')))
      utimesSync(join(desk.kenHome, 'sessions', path), 1, 1)
    await desk.set('storage.retention', '30d')
    expect(await cycle(desk)).toMatchObject({ evicted: 1 })
    expect(ids(desk)).toEqual(['young'])
    expect((await desk.run('memory_search', { query: 'old', workspace: 'all' }))['results']).toEqual([])
  })

  test('is off unless set: years-old sessions are found after the first harvest', async () => {
    const desk = openDesk()
    talk(desk, 'ancient', 2000, 'The zebrafinch sang.')
    await cycle(desk)
    const { results } = await desk.run('memory_search', { query: 'zebrafinch', workspace: 'all' })
    expect(results).toHaveLength(1)
  })

  test('restores evicted and left-out sessions when extended, and never forgotten ones', async () => {
    const desk = openDesk()
    for (const id of ['old', 'older', 'secret']) talk(desk, id, id === 'older' ? 200 : 40)
    await cycle(desk)
    await desk.run('forget', { what: 'secret', yes: true })
    await desk.set('storage.retention', '30d')
    expect(await cycle(desk)).toMatchObject({ evicted: 2 })
    for (const [id, days] of [
      ['late', 50],
      ['young', 1],
    ] as const)
      talk(desk, id, days)
    await cycle(desk)
    expect(ids(desk)).toEqual(['young'])
    for (const input of [{}, { again: true }]) await desk.run('harvest', input)
    expect(ids(desk)).toEqual(['young'])
    await desk.set('storage.retention', '90d')
    await cycle(desk)
    expect(ids(desk)).toEqual(['late', 'old', 'young'])
    await desk.run('config_unset', { name: 'storage.retention' })
    expect(await desk.run('harvest')).toMatchObject({ indexed: { added: 1 } })
    expect(ids(desk)).toEqual(['late', 'old', 'older', 'young'])
    expect((await desk.run('memory_search', { query: 'older', workspace: 'all' }))['results']).toHaveLength(1)
    expect(filesBelow(join(desk.home, '.claude'))).toHaveLength(5)
  })

  test('counts left-out sessions, and reports them if a search finds nothing', async () => {
    const desk = openDesk()
    await desk.set('storage.retention', '30d')
    for (const id of ['a', 'b', 'c']) talk(desk, id, 40)
    talk(desk, 'young', 1)
    await cycle(desk)
    expect(await desk.run('memory_status')).toMatchObject({ left_out: { retention: 3 } })
    const nothing = await desk.run('memory_search', { query: 'xylophone', workspace: 'all' })
    expect(nothing['notes'].join()).toMatch(/3 sessions were left out by storage\.retention \(30d\)/)
    const found = await desk.run('memory_search', { query: 'young', workspace: 'all' })
    expect(found['notes']).toEqual([])
    await desk.set('storage.retention', 'off')
    await cycle(desk)
    expect(await desk.run('memory_status')).toMatchObject({ left_out: {} })
    expect((await desk.run('memory_search', { query: 'xylophone', workspace: 'all' }))['notes']).toEqual([])
  })

  test('does not keep looking for sessions that are gone from a client’s log', async () => {
    const desk = openDesk()
    await desk.set('storage.retention', '30d')
    talk(desk, 'old', 40)
    await cycle(desk)
    rmSync(transcriptPath(desk.home, 'old'))
    await desk.set('storage.retention', 'off')
    await cycle(desk)
    expect(await (await desk.context().upkeep()).state.tombstones()).toEqual([])
  })

  test('the first harvest adds sessions that an earlier version left out without recording it', async () => {
    const desk = openDesk()
    talk(desk, 'old', 200)
    talk(desk, 'young', 1)
    await cycle(desk)
    await desk.close('keep')
    // As the earlier version left it: a cursor past both sessions, and neither a file nor a tombstone of the old
    // session.
    const state = new DatabaseSync(join(desk.kenHome, 'state.db'))
    const later = state
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('harvest', 'tombstone', 'whole')")
      .all()
    for (const { name } of later) state.exec(`DROP TABLE IF EXISTS "${String(name)}"`)
    state.exec('PRAGMA user_version = 2')
    state.close()
    const [path] = Object.entries(desk.sessions()).find(([, { session }]) => session === 'old')!
    rmSync(join(desk.kenHome, 'sessions', path))
    await desk.run('harvest')
    expect(ids(desk)).toEqual(['old', 'young'])
  })

  test('a conversation continued after its eviction is harvested again', async () => {
    const desk = openDesk()
    talk(desk, 'old', 40)
    await cycle(desk)
    await desk.set('storage.retention', '30d')
    await cycle(desk)
    talk(desk, 'old', 1)
    await cycle(desk)
    expect(ids(desk)).toEqual(['old'])
    await cycle(desk)
    expect(ids(desk)).toEqual(['old'])
  })
})

describe('size', () => {
  test('the oldest sessions are evicted until files and index fit, and the disk space is freed', async () => {
    const desk = openDesk()
    for (let i = 0; i < 30; i++) talk(desk, `s${String(i).padStart(2, '0')}`, 60 - i, words(String(i), 60_000))
    await cycle(desk)
    const before = indexBytes(desk)
    const total = before + sessionBytes(desk)
    const limit = Math.round(total / 2)
    await desk.set('storage.maxSize', String(limit))
    const { evicted, reclaimed } = await cycle(desk)
    expect(evicted).toBeGreaterThan(5)
    expect(evicted).toBeLessThan(30)
    expect(ids(desk)).toEqual(
      Array.from({ length: 30 - evicted }, (_, i) => `s${String(i + evicted).padStart(2, '0')}`),
    )
    expect(reclaimed).toBeGreaterThan(0)
    expect(indexBytes(desk)).toBeLessThan(before * 0.8)
    for (let i = 0; i < 3; i++) await cycle(desk)
    expect(indexBytes(desk) + sessionBytes(desk)).toBeLessThanOrEqual(limit)
    expect(ids(desk).length).toBeGreaterThan(5)
    const kept = await desk.run('memory_search', { query: words('29', 24), workspace: 'all' })
    expect(kept['results']).toHaveLength(1)
  }, 120_000)

  test('recently found or read sessions stay, and a larger limit restores the rest', async () => {
    const desk = openDesk()
    for (let i = 0; i < 12; i++) talk(desk, `s${String(i).padStart(2, '0')}`, 60 - i, words(String(i), 60_000))
    await cycle(desk)
    const { results } = await desk.run('memory_search', { query: words('0', 24), workspace: 'all', limit: 1 })
    expect(results).toHaveLength(1)
    await desk.set('storage.maxSize', String(Math.round((indexBytes(desk) + sessionBytes(desk)) / 2)))
    await cycle(desk)
    expect(ids(desk)).toContain('s00')
    expect(ids(desk)).not.toContain('s01')
    expect(await desk.run('memory_status')).toMatchObject({ left_out: { size: 12 - ids(desk).length } })
    await desk.run('harvest')
    expect(ids(desk)).not.toContain('s01')
    await desk.set('storage.maxSize', '2GB')
    await cycle(desk)
    expect(ids(desk)).toHaveLength(12)
  }, 120_000)

  test('an index that is too large for other reasons evicts no session, and the user is notified', async () => {
    const desk = openDesk()
    talk(desk, 'only', 3)
    mkdirSync(join(desk.home, 'docs'))
    for (let i = 0; i < 8; i++)
      writeFileSync(join(desk.home, 'docs', `${i}.md`), `# ${i}\n\n${words(`d${i}`, 40_000)}\n`)
    await desk.run('collection_add', { name: 'docs', path: join(desk.home, 'docs') })
    await cycle(desk)
    await desk.set('storage.maxSize', '100KB')
    const { evicted, warnings } = await cycle(desk)
    expect(evicted).toBe(0)
    expect(warnings).toEqual([expect.stringContaining('storage.maxSize')])
    expect(ids(desk)).toEqual(['only'])
  })
})

describe('a cycle', () => {
  test('harvests nothing on a full disk, still evicts, and reports why', async () => {
    const desk = openDesk()
    talk(desk, 'old', 40)
    await cycle(desk)
    talk(desk, 'fresh', 1)
    await desk.set('storage.retention', '30d')
    const archive = openSessionFiles({ root: join(desk.kenHome, 'sessions'), freeSpace: async () => 99 * 1024 ** 2 })
    expect(await cycle(desk, { archive })).toMatchObject({
      harvested: 0,
      evicted: 1,
      warnings: [expect.stringContaining('99 MB')],
    })
    expect(ids(desk)).toEqual([])
    expect(await cycle(desk)).toMatchObject({ harvested: 1, warnings: [] })
    expect(ids(desk)).toEqual(['fresh'])
  })

  test('removes vectors without a text', async () => {
    const desk = openDesk()
    talk(desk, 'one', 1)
    await cycle(desk)
    const database = new DatabaseSync(join(desk.kenHome, 'index.db'))
    const count = (): number => Number(database.prepare('SELECT count(*) AS n FROM vector').get()!['n'])
    database
      .prepare('INSERT INTO vector (chunk, embedder, scale, data, generation, seal) VALUES (?, ?, ?, ?, ?, ?)')
      .run(999, 'lost', 1, new Uint8Array(4), 0, 0)
    const before = count()
    await cycle(desk)
    expect(count()).toBe(before - 1)
    database.close()
  })

  test('warns about invalid limits and uses the defaults', async () => {
    const desk = openDesk()
    writeFileSync(join(desk.kenHome, 'config.yml'), 'storage:\n  maxSize: banana\n  retention: soon\n')
    talk(desk, 'old', 100)
    talk(desk, 'young', 80)
    await cycle(desk)
    expect(ids(desk)).toEqual(['old', 'young'])
    expect(desk.warnings.join('\n')).toMatch(
      /maxSize: "banana" is not a size[\s\S]*retention: "soon" is not a duration|retention: "soon" is not a duration[\s\S]*maxSize: "banana" is not a size/,
    )
  })
})
