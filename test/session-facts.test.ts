import { afterEach, beforeEach, expect, test } from 'vitest'
import { OPERATIONS } from '../src/operations/all.ts'
import { openUpkeepDesk, speak, type UpkeepDesk } from './upkeep/desk.ts'

let desk: UpkeepDesk
beforeEach(() => (desk = openUpkeepDesk()))
afterEach(() => desk.close())

const at = (day: number, hour = 12): string =>
  new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - day * 86_400_000 + hour * 3_600_000).toISOString()

const bash = (command: string, failed?: true) => ({
  tool: 'Bash',
  input: { command },
  answer: failed ? 'Exit code 1' : 'fine',
  ...(failed && { failed }),
})
const SHOP = '/home/dev/shop'
const edit = (file_path: string) => ({ tool: 'Edit', input: { file_path }, answer: 'edited' })

async function twoDays(): Promise<void> {
  speak(desk.home, {
    id: 'older',
    cwd: SHOP,
    title: 'Validate prices',
    at: at(3),
    said: [['Validate the prices', 'I add a validator.']],
    calls: [bash('npm install zod'), edit(`${SHOP}/src/prices.ts`), bash('git commit -am "Validate prices"')],
  })
  speak(desk.home, {
    id: 'newer',
    cwd: SHOP,
    title: 'Fix the cart',
    at: at(1),
    said: [['The cart counts twice', 'I look.']],
    calls: [
      { tool: 'Read', input: { file_path: `${SHOP}/src/cart.ts` }, answer: 'x' },
      bash('npx vitest run src/cart', true),
      edit(`${SHOP}/src/cart.ts`),
      bash('npx vitest run src/cart'),
    ],
  })
  await desk.run('harvest')
}

const facts = async (query: string, input: object = {}) =>
  ((await desk.run('memory_query', { query, workspace: 'all', ...input }))['facts'] ?? []).map(
    ({ kind, what, session }: Record<string, string>) => `${session}: ${kind} ${what}`,
  )

test('answers questions about past actions from the tool calls of sessions', async () => {
  await twoDays()
  expect(await facts('which file did I change last')).toEqual(['newer: changed src/cart.ts'])
  expect(await facts('when did we add zod?')).toEqual(['older: added zod'])
  expect(await facts('what failed yesterday')).toEqual(['newer: command npx vitest run src/cart'])
  expect(await facts('what did we commit')).toEqual(['older: commit Validate prices'])
  expect(await facts('which tests did we fix')).toEqual(['newer: tests npx vitest run src/cart'])
})

test('has no answer for another day, another package or a question about reasons', async () => {
  await twoDays()
  expect(await facts('what failed two days ago')).toEqual([])
  expect(await facts('when did we add joi')).toEqual([])
  expect(await facts('why did we add zod')).toEqual([])
  expect(await facts('which file did I change last', { origin: ['note'] })).toEqual([])
  expect(await facts('which file did I change last', { workspace: 'here' })).toEqual([])
})

test('shows facts at the top of a session', async () => {
  await twoDays()
  const shown = await desk.run('session_show', { id: 'newer', workspace: 'all' })
  expect(shown['done']).toMatchObject({
    first_ask: { text: 'The cart counts twice', turn: 1 },
    ended: 'answered',
    facts: [
      { kind: 'read', what: 'src/cart.ts', turn: 2 },
      { kind: 'command', ok: false },
      { kind: 'changed', what: 'src/cart.ts' },
      { kind: 'command', ok: true },
      { kind: 'tests', what: 'npx vitest run src/cart', files: ['src/cart.ts'] },
    ],
  })
  const operation = OPERATIONS.find(({ name }) => name === 'session_show')!
  const text = operation.render(shown as never, { id: 'newer' } as never)
  expect(text).toContain('Changed: src/cart.ts (2)\nRead: src/cart.ts (2)\nFixed: npx vitest run src/cart (2)')
  expect((await desk.run('session_show', { id: 'newer', workspace: 'all', from: 1 }))['done']).toBeUndefined()
})

test('the log of sessions is a diary of the project by day', async () => {
  await desk.run('init', { name: 'shop' })
  for (const [id, day] of [
    ['one', 2],
    ['two', 1],
  ] as const)
    speak(desk.home, {
      id,
      cwd: desk.home,
      title: `Session ${id}`,
      at: at(day),
      said: [['Go on', 'I go on.']],
      calls: [edit(`${desk.home}/src/${id}.ts`), bash('npm test', true)],
    })
  speak(desk.home, { id: 'foreign', title: 'Of another project', at: at(1), said: [['Hello', 'Hello.']] })
  await desk.run('harvest')
  const log = await desk.run('log', { sessions: true })
  expect(log['sessions'].map(({ title }: { title: string }) => title)).toEqual(['Session two', 'Session one'])
  const text = OPERATIONS.find(({ name }) => name === 'log')!.render(log as never, {} as never)
  expect(text.replaceAll(/\d{4}-\d\d-\d\d/g, 'DAY')).toBe(
    ['two', 'one']
      .map(
        (id) =>
          `DAY\n11:59  Session ${id}  claude-code · 0 min\n       Changed: src/${id}.ts\n       Failed: npm test\n       Commands: 1, 1 failed`,
      )
      .join('\n\n'),
  )
})
