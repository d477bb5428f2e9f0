import { afterEach, expect, test } from 'vitest'
import { proposeDecision } from '../src/record/operations/propose-decision.ts'
import { adopt } from '../src/setup/operations/adopt.ts'
import { openDesk, type Desk } from './client-desk.ts'

let desk: Desk
afterEach(() => desk.close())

const PROPOSAL = { title: 'Cache hot reads in Redis', rationale: 'Lower p99 than the database on product pages.' }

test('a recorded decision shows up in the AGENTS.md that Ken keeps and git ignores, and nowhere else', async () => {
  desk = openDesk()
  desk.write('work/orchard/.gitignore', 'AGENTS.md\n')
  await desk.run(adopt, {})
  desk.write('work/orchard/AGENTS.md', `${desk.read('work/orchard/AGENTS.md')}\nMy own words.\n`)
  await desk.run(proposeDecision, PROPOSAL)
  expect(desk.read('work/orchard/AGENTS.md')).toMatch(/Cache hot reads in Redis[\s\S]*My own words\./)
})

test('an AGENTS.md that git tracks is left to the person', async () => {
  desk = openDesk()
  await desk.run(adopt, {})
  desk.git('add', '-f', 'AGENTS.md')
  const before = desk.read('work/orchard/AGENTS.md')
  expect((await desk.run(proposeDecision, PROPOSAL))['status']).toBe('confirmed')
  expect(desk.read('work/orchard/AGENTS.md')).toBe(before)
})

test('a project without a block gets none', async () => {
  desk = openDesk()
  await desk.run(adopt, {})
  desk.write('work/orchard/AGENTS.md', 'mine\n')
  await desk.run(proposeDecision, PROPOSAL)
  expect(desk.read('work/orchard/AGENTS.md')).toBe('mine\n')
})
