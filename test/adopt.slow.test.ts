import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { refreshAgentsMd } from '../src/record/refresh-agents-md.ts'
import { BRIDGE } from '../src/setup/domain/agents-md.ts'
import { findWiring } from '../src/setup/find-wiring.ts'
import { adopt } from '../src/setup/operations/adopt.ts'
import { agentsMd } from '../src/setup/operations/agents-md.ts'
import { setup } from '../src/setup/operations/setup.ts'
import { openDesk, type Desk } from './client-desk.ts'

let desk: Desk
afterEach(() => desk.close())

const changed = (output: any): string[] => output.clients.map((report: any) => `${report.client} ${report.scope}`)

it('binds the repository, connects the agents it finds traces of, and writes AGENTS.md', async () => {
  desk = openDesk()
  desk.write('.codex/auth.json', '{}')
  desk.write('work/orchard/.cursor/rules/x.mdc', '')
  const output = await desk.run(adopt, {})
  expect(output.project).toMatchObject({ name: 'orchard', binding: 'started' })
  expect(changed(output)).toEqual(['codex user', 'cursor project'])
  expect(desk.read('.codex/config.toml')).toContain('[mcp_servers.ken]')
  expect(desk.read('work/orchard/AGENTS.md')).toContain(`project \`${output.project.id}\``)
  expect(desk.read('work/orchard/.claude/CLAUDE.md')).toContain('@../AGENTS.md')
  expect(await desk.context.projects.find({ directory: desk.repo })).toMatchObject({ id: output.project.id })
  expect((await (await desk.context.record()).catalogue()).decisions).toHaveLength(1)
  expect(adopt.render(output as never, {} as never)).toContain('started')
})

it('undoing restores the repository and the agents, and keeps the record', async () => {
  desk = openDesk()
  desk.write('.claude/settings.json', '{}')
  desk.write('work/orchard/AGENTS.md', '# Rules\n\nBe kind.')
  const before = desk.tree()
  const { project } = await desk.run(adopt, { clients: ['all'], with_hooks: true, with_skills: true })
  const output = await desk.run(adopt, { remove: true })
  expect(desk.tree()).toEqual(before)
  expect(output.project.binding).toBe('released')
  expect(await desk.context.projects.find({ directory: desk.repo })).toBeUndefined()
  expect((await desk.context.projects.list()).map((known) => known.id)).toEqual([project.id])
})

it('undoing keeps agents connected that serve other repositories', async () => {
  desk = openDesk()
  await desk.context.projects.create({ name: 'elsewhere', mode: 'local', repository: join(desk.home, 'work') })
  await desk.run(setup, { client: 'codex' })
  await desk.run(adopt, { clients: ['cursor'] })
  await desk.run(adopt, { remove: true })
  expect(desk.read('.codex/config.toml')).toContain('[mcp_servers.ken]')
  expect(existsSync(join(desk.repo, '.cursor'))).toBe(false)
})

it('a dry run changes nothing, not even the registry', async () => {
  desk = openDesk()
  const before = desk.tree()
  const output = await desk.run(adopt, { clients: ['all'], with_hooks: true, with_skills: true, dry_run: true })
  expect(desk.tree()).toEqual(before)
  expect(await desk.context.projects.list()).toEqual([])
  expect(output.project).toEqual({ name: 'orchard', binding: 'started' })
  expect(adopt.render(output as never, {} as never)).toMatch(/would be started[^]*\+\s+"ken"/)
})

it('is idempotent', async () => {
  desk = openDesk()
  await desk.run(adopt, { clients: ['claude-code'] })
  const once = desk.tree()
  const output = await desk.run(adopt, { clients: ['claude-code'] })
  expect(output.project.binding).toBe('kept')
  expect(desk.tree()).toEqual(once)
})

it('binds a second repository to an existing project, and refuses to rebind a bound one', async () => {
  desk = openDesk()
  const other = await desk.context.projects.create({ name: 'other', mode: 'local', repository: undefined })
  expect((await desk.run(adopt, { project: 'other', clients: ['claude-code'] })).project).toEqual({
    id: other.id,
    name: 'other',
    binding: 'bound',
  })
  await desk.context.projects.create({ name: 'third', mode: 'local', repository: undefined })
  await expect(desk.run(adopt, { project: 'third' })).rejects.toMatchObject({
    code: 'conflict',
    hint: expect.stringContaining('--remove'),
  })
  await expect(desk.run(adopt, { project: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' })
})

it('keeps a tracked AGENTS.md unchanged, reports it, and does the rest', async () => {
  desk = openDesk()
  desk.write('work/orchard/AGENTS.md', '# Rules\n')
  desk.git('add', '.')
  desk.git('commit', '-qm', 'rules')
  const output = await desk.run(adopt, { clients: ['claude-code'] })
  expect(desk.read('work/orchard/AGENTS.md')).toBe('# Rules\n')
  expect(output.files[0]).toMatchObject({
    change: 'unchanged',
    kept: expect.stringMatching(/ was not changed: git tracks it.*--allow-tracked/),
  })
  expect(desk.read('work/orchard/.mcp.json')).toContain('serve')
  await desk.run(agentsMd, { allow_tracked: true })
  expect(desk.read('work/orchard/AGENTS.md')).toMatch(/^# Rules\n\n<!-- ken:start/)
})

it('needs no bridge if CLAUDE.md is a link to AGENTS.md', async () => {
  desk = openDesk()
  desk.write('work/orchard/AGENTS.md', '# Rules\n')
  symlinkSync('AGENTS.md', join(desk.repo, 'CLAUDE.md'))
  const output = await desk.run(adopt, { clients: ['claude-code'] })
  expect(output.files.map((file: any) => file.change)).toEqual(['edited'])
  expect(existsSync(join(desk.repo, '.claude'))).toBe(false)
})

it('does not write through a symlinked bridge, and still writes AGENTS.md', async () => {
  desk = openDesk()
  desk.write('work/orchard/.claude/x', '')
  symlinkSync('../AGENTS.md', join(desk.repo, '.claude/CLAUDE.md'))
  const output = await desk.run(adopt, { clients: ['cursor'] })
  expect(output.files.map((file: any) => [file.change, file.kept?.includes('symbolic link') ?? false])).toEqual([
    ['created', false],
    ['unchanged', true],
  ])
})

it('moves a bridge out of the root folder, where Copilot CLI read the block a second time', async () => {
  desk = openDesk()
  const before = desk.tree()
  desk.write('work/orchard/CLAUDE.md', `${BRIDGE.replace('@../', '@')}`)
  await desk.run(adopt, { clients: ['cursor'] })
  expect(existsSync(join(desk.repo, 'CLAUDE.md'))).toBe(false)
  expect(desk.read('work/orchard/.claude/CLAUDE.md')).toBe(BRIDGE)
  await desk.run(adopt, { remove: true })
  expect(desk.tree()).toEqual(before)
})

it('keeps the user’s CLAUDE.md unchanged, including one that already imports AGENTS.md', async () => {
  desk = openDesk()
  desk.write('work/orchard/CLAUDE.md', '# Mine\n')
  await desk.run(adopt, { clients: ['cursor'] })
  expect(desk.read('work/orchard/.claude/CLAUDE.md')).toBe(BRIDGE)
  await desk.run(adopt, { remove: true })
  desk.write('work/orchard/CLAUDE.md', 'See @AGENTS.md\n')
  await desk.run(adopt, { clients: ['cursor'] })
  expect(existsSync(join(desk.repo, '.claude'))).toBe(false)
  expect(desk.read('work/orchard/CLAUDE.md')).toBe('See @AGENTS.md\n')
})

it('an AGENTS.md that will be committed points to the record and copies nothing from it', async () => {
  desk = openDesk()
  await desk.run(adopt, { clients: ['claude-code'] })
  const once = desk.read('work/orchard/AGENTS.md')
  expect(once).not.toContain('ken-context')
  expect(once).not.toContain('Where the project stands')
  const store = await desk.context.record()
  await store.commit({ surface: 'cli' }, async (draft) =>
    draft.write('state_current.md', '# Current State\n\n- The press leaks.\n'),
  )
  await refreshAgentsMd(desk.context, store)
  const { files } = await desk.run(agentsMd, {})
  expect(files.map((file: any) => file.change)).toEqual(['unchanged', 'unchanged'])
  expect(desk.read('work/orchard/AGENTS.md')).toBe(once)
})

it('an AGENTS.md that git ignores follows the record', async () => {
  desk = openDesk()
  desk.write('work/orchard/.git/info/exclude', 'AGENTS.md\n')
  await desk.run(adopt, { clients: ['claude-code'] })
  const store = await desk.context.record()
  await store.commit({ surface: 'cli' }, async (draft) =>
    draft.write('state_current.md', '# Current State\n\n- The press leaks.\n'),
  )
  const { files } = await desk.run(agentsMd, {})
  expect(files.map((file: any) => file.change)).toEqual(['edited', 'unchanged'])
  expect(desk.read('work/orchard/AGENTS.md')).toContain('The press leaks.')
})

it('undoing keeps agents that were set up separately, before or after', async () => {
  desk = openDesk()
  await desk.run(setup, { client: 'codex' })
  await desk.run(adopt, { clients: ['codex', 'cursor'] })
  await desk.run(setup, { client: 'cursor' })
  const output = await desk.run(adopt, { remove: true })
  expect(desk.read('.codex/config.toml')).toContain('[mcp_servers.ken]')
  expect(desk.read('work/orchard/.cursor/mcp.json')).toContain('"ken"')
  expect(output.clients.map((report: any) => report.files[0].kept)).toEqual([
    'installed separately (remove with `ken setup codex --remove`)',
    'installed separately (remove with `ken setup cursor --remove`)',
  ])
  await desk.run(setup, { client: 'codex', remove: true })
  expect(existsSync(join(desk.home, '.codex/config.toml'))).toBe(false)
})

it('removing an agent works regardless of which repositories were adopted with it', async () => {
  desk = openDesk()
  await desk.run(adopt, { clients: ['codex'] })
  await desk.run(setup, { client: 'codex', remove: true })
  expect(existsSync(join(desk.home, '.codex/config.toml'))).toBe(false)
})

it('undoing prints the command that adopts the repository again, and that command works', async () => {
  desk = openDesk()
  const { project } = await desk.run(adopt, { clients: ['cursor'] })
  const { next } = await desk.run(adopt, { remove: true })
  expect(next.at(-1)).toBe(`\`ken adopt --project ${project.id}\` is the way back.`)
  const again = await desk.run(adopt, { project: project.id, clients: ['cursor'] })
  expect(again.project).toEqual({ id: project.id, name: 'orchard', binding: 'bound' })
})

it('prints the prompt for an agent, and does nothing else', async () => {
  desk = openDesk()
  const before = desk.tree()
  const output = await desk.run(adopt, { print_prompt: true })
  expect(adopt.render(output as never, {} as never)).toMatch(/^# Seed the record of an existing repository\n/)
  expect(desk.tree()).toEqual(before)
  expect(await desk.context.projects.list()).toEqual([])
})

it('lists which agents are connected, and through which files', async () => {
  desk = openDesk()
  desk.write('.gemini/settings.json', 'not JSON')
  desk.write('work/orchard/.cursor/mcp.json', '{"mcpServers":{"other":{"command":"x"}}}')
  await desk.run(setup, { client: 'codex', with_hooks: true })
  const before = desk.tree()
  const found = Object.fromEntries((await findWiring(desk.context, desk.repo)).map((one) => [one.client, one]))
  expect(found['codex']).toEqual({
    client: 'codex',
    connected: true,
    files: ['.codex/config.toml', '.codex/hooks.json'].map((path) => join(desk.home, path)),
  })
  expect(found['cursor']).toEqual({ client: 'cursor', connected: false, files: [] })
  expect(found['gemini']).toMatchObject({ connected: false, problem: expect.stringContaining('settings.json') })
  expect(desk.tree()).toEqual(before)
})
