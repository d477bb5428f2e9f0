import { afterEach, expect, test } from 'vitest'
import { proposeDecision } from '../src/record/operations/propose-decision.ts'
import { adopt } from '../src/setup/operations/adopt.ts'
import { openDesk, type Desk } from './client-desk.ts'

let desk: Desk
afterEach(() => desk.close())

const PROPOSAL = { title: 'Cache hot reads in Redis', rationale: 'Lower p99 than the database on product pages.' }

test('a recorded decision appears in an AGENTS.md that Ken maintains and git ignores, and nowhere else', async () => {
  desk = openDesk()
  desk.write('work/orchard/.gitignore', 'AGENTS.md\n')
  await desk.run(adopt, {})
  desk.write('work/orchard/AGENTS.md', `${desk.read('work/orchard/AGENTS.md')}\nMy own words.\n`)
  await desk.run(proposeDecision, PROPOSAL)
  expect(desk.read('work/orchard/AGENTS.md')).toMatch(/Cache hot reads in Redis[\s\S]*My own words\./)
})

test('does not change an AGENTS.md that git tracks', async () => {
  desk = openDesk()
  await desk.run(adopt, {})
  desk.git('add', '-f', 'AGENTS.md')
  const before = desk.read('work/orchard/AGENTS.md')
  expect((await desk.run(proposeDecision, PROPOSAL))['status']).toBe('confirmed')
  expect(desk.read('work/orchard/AGENTS.md')).toBe(before)
})

test('adds no block to a project without one', async () => {
  desk = openDesk()
  await desk.run(adopt, {})
  desk.write('work/orchard/AGENTS.md', 'mine\n')
  await desk.run(proposeDecision, PROPOSAL)
  expect(desk.read('work/orchard/AGENTS.md')).toBe('mine\n')
})
