import { expect, test } from 'vitest'
import { plainView } from '../src/kernel/domain/view/view.ts'
import { HOSTED, OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import type { Offered } from '../src/operations/context.ts'
import { loadOperations, loadServed } from '../src/operations/registry.ts'
import { fullOverview } from '../src/surfaces/cli/help.ts'
import { TEAM_OPERATIONS } from '../src/team/operations/index.ts'

const names = TEAM_OPERATIONS.map(({ name }) => name as string)

test('a local installation has no operation of a team server: no command, no tool, no address', async () => {
  expect(names).toEqual(expect.arrayContaining(['create_project', 'people_invite', 'token_create']))
  expect(OPERATIONS.filter(({ name }) => names.includes(name))).toEqual([])
  expect(await loadOperations(['team', 'agent'])).toEqual(await loadOperations(['agent']))
  expect(TEAM_OPERATIONS.flatMap(({ command }) => command)).toEqual([])
  const help = fullOverview(OPERATIONS, [], '0', plainView('pipe'))
  expect(names.filter((name) => help.includes(name.replaceAll('_', '-')))).toEqual([])
})

test('all team operations are served, and other operations only if marked as served', async () => {
  const served = await loadServed()
  expect(HOSTED.map(({ name }) => name)).toEqual(names)
  const others = served.filter(({ toolset }) => toolset !== 'team').map(({ name }) => name)
  expect(others).toEqual(expect.arrayContaining(['get_context', 'propose_decision', 'list_projects']))
  expect(others).not.toContain('setup')
})

test('server overrides of an operation apply only on a server', async () => {
  const there = (await loadServed()).find(({ name }) => name === 'list_projects')!
  const here = OPERATIONS.find(({ name }) => name === 'list_projects')!
  expect([there.hiddenFrom.mcp, here.hiddenFrom.mcp === undefined]).toEqual([undefined, false])
  expect(there.summary).not.toBe(here.summary)
})

test('only the listed operations show a new secret, and they are not tools', () => {
  const showing = [...OPERATIONS, ...HOSTED].filter(({ showsOnce }) => showsOnce !== undefined)
  expect(showing.map(({ name }) => name)).toEqual(['context_git_hook', 'webhook_add', 'token_create'])
  for (const { hiddenFrom } of showing) expect(hiddenFrom.mcp).toBeDefined()
})

test('refuses an operation if its requirements are not met', async () => {
  const place = { checkRoom: () => undefined } as unknown as Offered
  const named = (name: string) => [...OPERATIONS, ...HOSTED].find((one) => one.name === name)!
  const server = { ...place, team: {} } as unknown as Offered
  await expect(call(server, named('config_set'), { name: 'model.name', value: 'x' })).rejects.toMatchObject({
    code: 'forbidden',
    message: 'Not available on a team server.',
  })
  await expect(call(place, named('people_list'), {})).rejects.toMatchObject({ code: 'unavailable' })
})
