import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { KEN } from './ken-program.ts'
import { openUpkeepDesk, speak, stampsBelow, type UpkeepDesk } from './upkeep/desk.ts'

let desk: UpkeepDesk
let repository: string
beforeEach(async () => {
  desk = openUpkeepDesk()
  repository = join(desk.home, 'shop')
  mkdirSync(repository)
  await here('init', { name: 'shop' })
  await here('propose_decision', DECISION)
  await here('memory_write', { content: 'The albatross is the bird.' })
  speak(desk.home, { id: 'one', at: new Date().toISOString(), said: [['Which bird?', 'The bustard.']] })
  await desk.run('harvest')
  await desk.run('memory_update')
  // No disk has that much space left.
  await desk.set('storage.minFreeDisk', '100000TB')
})
afterEach(() => desk.close())

const DECISION = {
  title: 'Orders live in PostgreSQL',
  rationale: 'Transactions across orders and stock need one database that has them.',
}

const here = async (name: string, input: Record<string, unknown> = {}): Promise<Record<string, any>> =>
  (
    await call(
      desk.context(repository),
      OPERATIONS.find((each) => each.name === name)!,
      input,
    )
  ).output

test('below storage.minFreeDisk every write is refused before its first byte, in one line', async () => {
  const docs = join(desk.home, 'docs')
  mkdirSync(docs)
  writeFileSync(join(docs, 'a.md'), '# A\n\nThe cassowary.\n')
  speak(desk.home, { id: 'two', at: new Date().toISOString(), said: [['Which bird?', 'The dotterel.']] })
  const before = stampsBelow(desk.kenHome).filter((line) => !/-wal|-shm|lease/.test(line))
  for (const [name, input] of [
    ['memory_write', { content: 'The erpornis is another.' }],
    ['propose_decision', { ...DECISION, title: 'Stock lives beside the orders' }],
    ['update_state', { delta: 'Something is true now.' }],
    ['collection_add', { name: 'docs', path: docs }],
    ['memory_update', {}],
    ['embed', {}],
    ['memory_index_codebase', { root: repository }],
    ['harvest', {}],
    ['agents_md', {}],
  ] as const)
    await expect(here(name, input), name).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('must stay free'),
    })
  expect(stampsBelow(desk.kenHome).filter((line) => !/-wal|-shm|lease/.test(line))).toEqual(before)
  const { status, stdout, stderr } = spawnSync(process.execPath, [KEN, 'note', 'x'], {
    cwd: repository,
    env: desk.environment,
    encoding: 'utf8',
  })
  expect({ status, stdout, lines: stderr.trim().split('\n').length }).toEqual({ status: 7, stdout: '', lines: 1 })
  expect(stderr).toContain('storage.minFreeDisk')
})

test('reading and freeing space still work, and the limit can be lowered', async () => {
  for (const query of ['albatross', 'PostgreSQL'])
    expect((await here('memory_search', { query }))['results'].length).toBeGreaterThan(0)
  expect(JSON.stringify(await here('check_decision', { proposed_approach: 'orders in MySQL' }))).toContain('PostgreSQL')
  const { advice } = await here('memory_status')
  expect(advice.join('\n')).toContain('less than storage.minFreeDisk')
  // A note written meanwhile in an editor is not in the index yet, and the answer reports it.
  writeFileSync(join(desk.kenHome, 'memory', 'by-hand.md'), '## x\n\nThe egret.\n')
  await new Promise((resolve) => setTimeout(resolve, 1100))
  expect((await here('memory_search', { query: 'albatross' }))['notes'].join()).toContain('may be missing')
  await here('forget', { what: 'bustard', yes: true })
  expect(Object.keys(desk.sessions())).toEqual([])
  await desk.set('storage.minFreeDisk', '1MB')
  expect((await here('memory_search', { query: 'egret' }))['results']).toHaveLength(1)
  await here('memory_write', { content: 'There is room again.' })
  expect(existsSync(join(desk.kenHome, 'memory'))).toBe(true)
})
