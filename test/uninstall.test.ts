import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { adopt } from '../src/setup/operations/adopt.ts'
import { setup } from '../src/setup/operations/setup.ts'
import { uninstall } from '../src/setup/operations/uninstall.ts'
import type { Leftover } from '../src/setup/ports/leftovers.ts'
import { openDesk, type Desk } from './client-desk.ts'

let desk: Desk
afterEach(() => desk.close())

/** A desk on a machine with these leftovers in addition to client files. */
function deskWith(leftovers: readonly Leftover[] = []): Desk {
  desk = openDesk()
  Object.assign(desk.context, {
    leftovers: async () => leftovers,
    ownHome: async () => ({ path: desk.kenHome }),
  })
  return desk
}

const whats = (output: any): string[] => output.items.map(({ what }: any) => what.replace(`${desk.home}/`, ''))

it('restores every file of every client, byte for byte, and releases the repository', async () => {
  deskWith()
  desk.write('.claude.json', '{"theme":"dark"}')
  desk.write('.codex/config.toml', '# mine\nmodel = "x"\n')
  desk.write('work/orchard/CLAUDE.md', '# Rules\r\n\r\nBe kind.')
  desk.git('add', '.')
  desk.git('commit', '-qm', 'start')
  const before = desk.tree()
  await desk.run(setup, { client: 'claude-code', with_hooks: true, with_skills: true })
  await desk.run(adopt, { clients: ['all'], with_hooks: true, with_skills: true, allow_tracked: true })
  const output = await desk.run(uninstall, { yes: true, allow_tracked: true })
  expect(output.outcome).toBe('removed')
  expect(output.items.filter(({ kept }: any) => kept !== undefined)).toEqual([])
  expect(desk.tree()).toEqual(before)
  expect(desk.git('status', '--porcelain')).toBe('')
  expect(existsSync(join(desk.repo, '.claude'))).toBe(false)
  expect((await desk.context.projects.list()).flatMap(({ repositories }) => repositories)).toEqual([])
})

it('lists the same items first, and changes nothing', async () => {
  deskWith()
  await desk.run(adopt, { clients: ['claude-code', 'codex'], with_hooks: true })
  const before = desk.tree()
  const planned = await desk.run(uninstall, { dry_run: true })
  expect(desk.tree()).toEqual(before)
  expect(planned.outcome).toBe('planned')
  const removed = await desk.run(uninstall, { yes: true })
  expect(whats(planned)).toEqual(whats(removed))
  expect(whats(removed)).toContain('work/orchard/.ken/config.json')
})

it('lists everything and removes nothing without a terminal or --yes', async () => {
  deskWith()
  await desk.run(adopt, { clients: ['codex'] })
  const before = desk.tree()
  await expect(desk.run(uninstall, {})).rejects.toMatchObject({
    code: 'stopped',
    message: expect.stringContaining('.codex/config.toml'),
  })
  expect(desk.tree()).toEqual(before)
})

it('asks for confirmation with the list, and changes nothing if declined', async () => {
  deskWith()
  await desk.run(adopt, { clients: ['codex'] })
  const before = desk.tree()
  const questions: string[] = []
  Object.assign(desk.context, {
    confirm: async (question: string) => {
      questions.push(question)
      return false
    },
  })
  await expect(desk.run(uninstall, {})).rejects.toMatchObject({ code: 'stopped' })
  expect(questions).toEqual([expect.stringContaining('.codex/config.toml')])
  expect(desk.tree()).toEqual(before)
})

it('keeps what the user changed since, and removes the rest', async () => {
  deskWith()
  await desk.run(adopt, { clients: ['codex'] })
  writeFileSync(join(desk.repo, 'AGENTS.md'), `${desk.read('work/orchard/AGENTS.md')}\nMine.\n`)
  await desk.run(uninstall, { yes: true })
  expect(desk.read('work/orchard/AGENTS.md')).toMatch(/^(?![^]*ken:start)[^]*Mine\.\n$/)
})

it('removes services, keys and git settings, and keeps the files that git tracks', async () => {
  const removed: string[] = []
  const leftover = (kind: Leftover['kind'], kept?: string): Leftover => ({
    kind,
    what: kind,
    ...(kept !== undefined && { kept }),
    remove: async () => void removed.push(kind),
  })
  deskWith([leftover('service'), leftover('key'), leftover('merge driver'), leftover('context', 'git tracks it')])
  const output = await desk.run(uninstall, { yes: true })
  expect(removed).toEqual(['service', 'key', 'merge driver'])
  expect(output.items.at(-1)).toMatchObject({ kind: 'context', kept: 'git tracks it' })
})

it('reports if there is nothing to remove', async () => {
  deskWith()
  expect(await desk.run(uninstall, { yes: true })).toMatchObject({ outcome: 'nothing', items: [] })
})
