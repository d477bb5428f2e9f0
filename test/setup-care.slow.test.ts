import { appendFileSync, existsSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { call } from '../src/operations/call.ts'
import { CLIENT_NAMES, clientPlaces } from '../src/setup/domain/clients.ts'
import { wholeFile } from '../src/setup/domain/file-change.ts'
import { SKILLS } from '../src/setup/domain/skills.ts'
import { setup } from '../src/setup/operations/setup.ts'
import { type Desk, openDesk } from './client-desk.ts'

let desk: Desk
afterEach(() => desk.close())

const MCP = 'work/orchard/.mcp.json'
const json = (path: string): any => JSON.parse(desk.read(path))
const changes = (output: any): Record<string, string> =>
  Object.fromEntries(
    output.clients[0].files.map((file: any) => [file.path.split('/').slice(-2).join('/'), file.change]),
  )

describe('files that Ken must not change', () => {
  it('a file tracked by git is refused, even for removal, unless forced', async () => {
    desk = openDesk()
    desk.write(MCP, '{}\n')
    desk.git('add', '.mcp.json')
    desk.git('commit', '-qm', 'servers')
    await expect(desk.run(setup, { client: 'claude-code' })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('git tracks it'),
      hint: expect.stringContaining('--allow-tracked'),
    })
    expect(desk.read(MCP)).toBe('{}\n')
    await desk.run(setup, { client: 'claude-code', allow_tracked: true })
    expect(json(MCP).mcpServers.ken).toBeDefined()
    await expect(desk.run(setup, { client: 'claude-code', remove: true })).rejects.toMatchObject({ code: 'forbidden' })
    await desk.run(setup, { client: 'claude-code', remove: true, allow_tracked: true })
    expect(desk.git('status', '--porcelain')).toBe('')
  })

  it('a file below a link in the repository is refused, one below a link in the home is not', async () => {
    desk = openDesk()
    desk.write('dotfiles/cursor/x', '')
    symlinkSync(join(desk.home, 'dotfiles/cursor'), join(desk.repo, '.cursor'))
    symlinkSync(join(desk.home, 'dotfiles/cursor'), join(desk.home, '.cursor'))
    await expect(desk.run(setup, { client: 'cursor', scope: 'project' })).rejects.toMatchObject({ code: 'forbidden' })
    await desk.run(setup, { client: 'cursor', scope: 'user' })
    expect(json('dotfiles/cursor/mcp.json').mcpServers.ken).toBeDefined()
  })

  it('another server with the same name is neither replaced nor removed', async () => {
    desk = openDesk()
    const other = '{"mcpServers":{"ken":{"command":"kennel","args":["--dogs"]}}}'
    desk.write(MCP, other)
    await expect(desk.run(setup, { client: 'claude-code' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining("not Ken's"),
    })
    await desk.run(setup, { client: 'claude-code', remove: true })
    expect(desk.read(MCP)).toBe(other)
  })

  it('a binary file is not changed', async () => {
    desk = openDesk()
    desk.write(MCP, Uint8Array.of(0x7b, 0xff, 0x7d))
    await expect(desk.run(setup, { client: 'claude-code' })).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('UTF-8'),
    })
  })

  it('a client is set up completely or not at all', async () => {
    desk = openDesk()
    desk.write('work/orchard/.claude/settings.local.json', '{ broken')
    const before = desk.tree()
    await expect(desk.run(setup, { client: 'claude-code', with_hooks: true, with_skills: true })).rejects.toMatchObject(
      { code: 'damaged', message: expect.stringContaining('settings.local.json') },
    )
    expect(desk.tree()).toEqual(before)
  })

  it('sets up all other clients if one fails', async () => {
    desk = openDesk()
    desk.write('.codex/config.toml', 'not = = toml')
    const output = await desk.run(setup, { client: 'all' })
    expect(
      output.clients.filter((report: any) => report.problem !== undefined).map((report: any) => report.client),
    ).toEqual(['codex'])
    expect(output.clients.map((report: any) => report.client)).toEqual([...CLIENT_NAMES])
    expect(setup.exit(output as never)).toBe(1)
    expect(json('work/orchard/.vscode/mcp.json').servers.ken.command).toBe('ken')
  })

  it('nothing is written if a file changes between reading and writing', async () => {
    desk = openDesk()
    const { clients } = desk.context
    desk.write('a', 'one')
    const files = ['new', 'a'].map((name) =>
      wholeFile({ path: join(desk.home, name), within: undefined, owner: 'x', content: 'mine' }),
    )
    const plan = await clients.plan([files[0]!, { ...files[1]!, add: () => ({ text: 'mine' }) }], {
      mode: 'add',
      allowTracked: false,
    })
    desk.write('a', 'two')
    await expect(clients.apply(plan)).rejects.toMatchObject({ code: 'conflict' })
    expect(desk.read('a')).toBe('two')
    expect(existsSync(join(desk.home, 'new'))).toBe(false)
  })

  it('a write that fails halfway reverts the earlier ones', async () => {
    desk = openDesk()
    const { clients } = desk.context
    desk.write('kept', 'old', 0o600)
    const file = (name: string) => ({
      ...wholeFile({ path: join(desk.home, name), within: undefined, owner: 'x', content: 'mine' }),
      add: () => ({ text: 'mine' }),
    })
    const before = desk.tree()
    // The second file is at a path where the third needs a folder.
    const plan = await clients.plan([file('kept'), file('deep/er/new'), file('deep/er/new/x')], {
      mode: 'add',
      allowTracked: false,
    })
    await expect(clients.apply(plan)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Nothing was changed'),
    })
    expect(desk.tree()).toEqual(before)
    expect(statSync(join(desk.home, 'kept')).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(desk.kenHome, 'backups', 'receipts'))).toEqual([])
  })
})

describe('the previous text can be recovered', () => {
  it('the old text is kept in a backup readable only by its owner', async () => {
    desk = openDesk()
    desk.write(MCP, '{ "mcpServers": {} }', 0o644)
    const { clients } = await desk.run(setup, { client: 'claude-code' })
    const { backup } = clients[0].files[0]
    expect(readFileSync(backup, 'utf8')).toBe('{ "mcpServers": {} }')
    expect(statSync(backup).mode & 0o777).toBe(0o600)
  })

  it('later additions by the user stay when Ken is removed', async () => {
    desk = openDesk()
    await desk.run(setup, { client: 'gemini', with_hooks: true })
    const path = 'work/orchard/.gemini/settings.json'
    const since = json(path)
    since.theme = 'dark'
    since.hooks.SessionStart.push({ hooks: [{ type: 'command', command: 'say hi' }] })
    writeFileSync(join(desk.home, path), JSON.stringify(since, null, 4))
    await desk.run(setup, { client: 'gemini', remove: true })
    expect(json(path)).toEqual({
      theme: 'dark',
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'say hi' }] }] },
    })
  })

  it('only the Ken handler is removed from a group that also has one of the user’s handlers', async () => {
    desk = openDesk()
    const path = '.claude/settings.json'
    await desk.run(setup, { client: 'claude-code', scope: 'user', with_hooks: true })
    const since = json(path)
    since.hooks.SessionStart[0].hooks.unshift({ type: 'command', command: 'mine' })
    writeFileSync(join(desk.home, path), JSON.stringify(since))
    await desk.run(setup, { client: 'claude-code', scope: 'user', remove: true })
    expect(json(path)).toEqual({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'mine' }] }] } })
  })

  it('a new launcher replaces the old one and keeps the user’s other settings', async () => {
    desk = openDesk({ launcher: ['npx', '-y', 'kenbase'] })
    const first = await desk.run(setup, { client: 'codex', with_hooks: true })
    expect(first.clients[0].next.join(' ')).toContain('npx')
    const config = desk.read('.codex/config.toml')
    desk.write('.codex/config.toml', config.replace('startup_timeout_sec = 30', 'startup_timeout_sec = 40 # slow disk'))
    const hooks = json('.codex/hooks.json')
    hooks.hooks.SessionStart[0].hooks[0].timeout = 9
    desk.write('.codex/hooks.json', JSON.stringify(hooks))
    const moved = { ...desk.context, launcher: ["/opt/ken's own/ken"] }
    await setup.run(moved, {
      client: 'codex',
      with_hooks: true,
      with_skills: false,
      http: false,
      remove: false,
      dry_run: false,
      allow_tracked: false,
    })
    expect(desk.read('.codex/config.toml')).toBe(
      '[mcp_servers.ken]\nrequired = true\nstartup_timeout_sec = 40 # slow disk\ncommand = "/opt/ken\'s own/ken"\nargs = [ "serve", "--stdio", "--toolset", "agent" ]\n',
    )
    expect(json('.codex/hooks.json').hooks.SessionStart).toEqual([
      {
        hooks: [
          {
            type: 'command',
            command: `'/opt/ken'\\''s own/ken' hook session-start --client codex --patience 9`,
            timeout: 9,
          },
        ],
      },
    ])
    await desk.run(setup, { client: 'codex', remove: true })
    expect(existsSync(join(desk.home, '.codex'))).toBe(false)
  })

  it('a removal that finds nothing points to the other scope', async () => {
    desk = openDesk()
    await desk.run(setup, { client: 'codex', scope: 'project' })
    const { clients } = await desk.run(setup, { client: 'codex', remove: true })
    expect(clients[0].next[0]).toContain('--scope project')
  })
})

describe('skills', () => {
  it.each(CLIENT_NAMES)('of %s are all installed, and their removal restores every byte', async (client) => {
    desk = openDesk()
    await desk.run(setup, { client })
    const before = desk.tree()
    await desk.run(setup, { client, with_skills: true })
    const added = Object.keys(desk.tree()).filter((path) => !(path in before))
    for (const { name } of SKILLS)
      expect(added.filter((path) => path.includes(name) && /\.mdc?$/.test(path))).toHaveLength(1)
    await desk.run(setup, { client, remove: true })
    await desk.run(setup, { client })
    expect(desk.tree()).toEqual(before)
  })

  it('shared by several clients are removed with the last of them', async () => {
    desk = openDesk()
    const skill = join(desk.repo, '.agents/skills/ken-decide/SKILL.md')
    for (const client of ['gemini', 'opencode']) await desk.run(setup, { client, with_skills: true })
    await desk.run(setup, { client: 'gemini', remove: true })
    expect(readFileSync(skill, 'utf8')).toMatch(/^---\nname: ken-decide\ndescription: .+\n---\n\n# /)
    await desk.run(setup, { client: 'opencode', remove: true })
    expect(existsSync(join(desk.repo, '.agents'))).toBe(false)
  })

  it('changed by the user are neither overwritten nor removed', async () => {
    desk = openDesk()
    await desk.run(setup, { client: 'claude-code', with_skills: true })
    const skill = join(desk.repo, '.claude/skills/ken-adopt/SKILL.md')
    appendFileSync(skill, 'And be brief.\n')
    const again = await desk.run(setup, { client: 'claude-code', with_skills: true })
    expect(again.clients[0].files.find((file: any) => file.path === skill)).toMatchObject({
      change: 'unchanged',
      kept: expect.stringContaining('differs'),
    })
    const removed = await desk.run(setup, { client: 'claude-code', remove: true })
    expect(removed.clients[0].files.find((file: any) => file.path === skill)).toMatchObject({
      change: 'unchanged',
      kept: expect.stringContaining('changed by hand'),
    })
    expect(readFileSync(skill, 'utf8')).toContain('And be brief.')
    expect(changes(removed)['ken-decide/SKILL.md']).toBe('deleted')
  })

  it('are written as rules in a Cursor project', async () => {
    desk = openDesk()
    await desk.run(setup, { client: 'cursor', with_skills: true })
    expect(desk.read('work/orchard/.cursor/rules/ken-adopt.mdc')).toMatch(
      /^---\ndescription: .+\nalwaysApply: false\n---\n/,
    )
  })
})

describe('file locations', () => {
  it('an existing OpenCode configuration is used, under any of its names', async () => {
    desk = openDesk()
    desk.write('work/orchard/opencode.jsonc', '{ /* mine */ }')
    await desk.run(setup, { client: 'opencode' })
    expect(desk.read('work/orchard/opencode.jsonc')).toContain('"ken"')
    expect(existsSync(join(desk.repo, 'opencode.json'))).toBe(false)
  })

  it('uses the user scope for everything outside a project', async () => {
    desk = openDesk({ cwd: 'work' })
    const { clients } = await desk.run(setup, { client: 'claude-code' })
    expect(clients[0].scope).toBe('user')
    expect(json('.claude.json').mcpServers.ken.args).toEqual(['serve', '--stdio', '--toolset', 'agent'])
  })

  it('the folders follow the environment variables of the clients and the platform', () => {
    desk = openDesk()
    const env = {
      CLAUDE_CONFIG_DIR: '/c',
      CODEX_HOME: '/x',
      COPILOT_HOME: '/p',
      XDG_CONFIG_HOME: '/cfg',
      GEMINI_CLI_HOME: '/g',
      QWEN_HOME: '/q',
      PI_CODING_AGENT_DIR: '/a',
    }
    expect(clientPlaces({ home: '/h', project: '/r', platform: 'linux', env })).toMatchObject({
      claude: '/c',
      claudeState: '/c',
      codex: '/x',
      copilot: '/p',
      opencode: '/cfg/opencode',
      gemini: '/g/.gemini',
      qwen: '/q',
      pi: '/a',
      vscode: '/cfg/Code/User',
    })
    expect(clientPlaces({ home: '/h', project: '/r', platform: 'darwin', env: {} })).toMatchObject({
      claudeState: '/h',
      vscode: '/h/Library/Application Support/Code/User',
      opencode: '/h/.config/opencode',
    })
  })

  it('invalid input is refused with the next step', async () => {
    desk = openDesk()
    await expect(desk.run(setup, { client: 'emacs' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('must be one of claude-code, codex'),
    })
  })
})

describe('a server that is already running', () => {
  const PORT = { settings: { get: () => ({ value: 4999 }) } }
  const at = async (input: Record<string, unknown>): Promise<any> =>
    (await call({ ...desk.context, ...PORT } as never, setup as never, input)).output

  const SPEAK_MCP = CLIENT_NAMES.filter((name) => name !== 'pi')

  it.each(SPEAK_MCP.flatMap((client) => (['user', 'project'] as const).map((scope) => [client, scope] as const)))(
    'is written for %s in the %s scope with its address and no token, and removed byte for byte',
    async (client, scope) => {
      desk = openDesk()
      desk.write('.ken/http-token', 'ken_secret-token-of-this-machine')
      const before = desk.tree()
      const done = await at({ client, scope, http: true, with_hooks: true, with_skills: true })
      const texts = done.clients[0].files.map((file: any) => readFileSync(file.path, 'utf8')).join('\n')
      expect(texts).toContain('http://127.0.0.1:4999/mcp')
      expect(texts.includes(`?directory=${encodeURIComponent(desk.repo)}`)).toBe(scope === 'project')
      expect(texts).toContain('KEN_HTTP_TOKEN')
      expect(texts).not.toContain('secret-token')
      expect(texts).not.toContain('"--stdio"')
      expect(done.clients[0].next.join(' ')).toMatch(/ken serve --http.*KEN_HTTP_TOKEN/)
      expect((await at({ client, scope, http: true })).clients[0].files[0].change).toBe('unchanged')
      await at({ client, scope, remove: true })
      expect(desk.tree()).toEqual(before)
    },
  )

  it('is refused for pi, which starts its own server, and nothing is written', async () => {
    desk = openDesk()
    const before = desk.tree()
    await expect(at({ client: 'pi', http: true })).rejects.toMatchObject({ code: 'invalid_input' })
    expect(desk.tree()).toEqual(before)
  })

  it.each(SPEAK_MCP)(
    '%s switches between a started and a running server and keeps the user’s other settings',
    async (client) => {
      desk = openDesk()
      const before = desk.tree()
      const first = await at({ client })
      const [{ path }] = first.clients[0].files
      const started = readFileSync(path, 'utf8')
      await at({ client, http: true })
      expect(readFileSync(path, 'utf8')).not.toContain('--stdio')
      await at({ client })
      expect(readFileSync(path, 'utf8')).not.toContain('127.0.0.1')
      const words = (text: string) => text.split(/[\s,]+/).toSorted()
      expect(words(readFileSync(path, 'utf8'))).toEqual(words(started))
      await at({ client, remove: true })
      expect(desk.tree()).toEqual(before)
    },
  )

  it('another server under that name is not mistaken for Ken', async () => {
    desk = openDesk()
    const other = '{"mcpServers":{"ken":{"type":"http","url":"http://127.0.0.1:4999/mcp"}}}'
    desk.write(MCP, other)
    await expect(at({ client: 'claude-code', http: true })).rejects.toMatchObject({ code: 'conflict' })
    await at({ client: 'claude-code', remove: true })
    expect(desk.read(MCP)).toBe(other)
  })
})

describe('client-specific file changes and requirements', () => {
  it('a key OpenCode adds to a Ken file is removed with it, and kept if it was the user’s', async () => {
    desk = openDesk()
    const [path, schema] = ['work/orchard/opencode.json', '"$schema": "https://opencode.ai/config.json"']
    const before = desk.tree()
    await desk.run(setup, { client: 'opencode' })
    expect(desk.read(path)).toContain(schema)
    // OpenCode adds the key to a file that lacks it.
    desk.write(path, `{\n  ${schema},\n  "mcp": ${JSON.stringify(json(path).mcp)}\n}\n`)
    await desk.run(setup, { client: 'opencode', remove: true })
    expect(desk.tree()).toEqual(before)
    for (const own of ['{\n  "theme": "dark"\n}\n', `{\n  ${schema}\n}\n`, `{ ${schema}, "theme": "dark" }`]) {
      desk.write(path, own)
      await desk.run(setup, { client: 'opencode' })
      if (!own.includes('$schema')) desk.write(path, desk.read(path).replace('{', `{\n  ${schema},`))
      await desk.run(setup, { client: 'opencode', remove: true })
      expect(desk.read(path)).toBe(own)
    }
  })

  it.each([
    ['{}', ['GEMINI.md', 'AGENTS.md']],
    ['{"context":{"fileName":"NOTES.md"}}', ['NOTES.md', 'AGENTS.md']],
    ['{"context":{"fileName":["A.md", "B.md"],"x":1}}', ['A.md', 'B.md', 'AGENTS.md']],
    ['{"context":{"fileName":["AGENTS.md"]}}', ['AGENTS.md']],
    ['{"context":{"fileName":"AGENTS.md"}}', 'AGENTS.md'],
  ])('Gemini with %s also reads AGENTS.md, and its own setting is restored on removal', async (own, names) => {
    desk = openDesk()
    const path = 'work/orchard/.gemini/settings.json'
    desk.write(path, own)
    await desk.run(setup, { client: 'gemini', with_hooks: true })
    expect(json(path).context.fileName).toEqual(names)
    desk.write(path, desk.read(path).replace(/\}\s*$/, ', "since": 1}'))
    await desk.run(setup, { client: 'gemini', remove: true })
    expect(json(path)).toEqual({ ...JSON.parse(own), since: 1 })
    desk.write(path, own)
    await desk.run(setup, { client: 'gemini', remove: true })
    expect(desk.read(path)).toBe(own)
  })

  it('a skill is in one place per client until the last client that uses it is removed', async () => {
    desk = openDesk()
    const before = desk.tree()
    const places = () => Object.keys(desk.tree()).filter((path) => path.endsWith('ken-decide/SKILL.md'))
    await desk.run(setup, { client: 'all', with_skills: true })
    expect(places()).toEqual(['.agents/skills/ken-decide/SKILL.md', 'work/orchard/.claude/skills/ken-decide/SKILL.md'])
    await desk.run(setup, { client: 'codex', remove: true })
    expect(places()).toContain('.agents/skills/ken-decide/SKILL.md')
    await desk.run(setup, { client: 'all', remove: true })
    expect(desk.tree()).toEqual(before)
  })

  it('a hook gets its timeout as --patience, and a hook of an earlier version keeps its timeout', async () => {
    desk = openDesk()
    const path = 'work/orchard/.claude/settings.local.json'
    await desk.run(setup, { client: 'claude-code', with_hooks: true })
    expect(json(path).hooks.UserPromptSubmit[0].hooks[0]).toMatchObject({
      command: expect.stringMatching(/ --patience 10$/),
      timeout: 10,
    })
    const earlier = { type: 'command', command: '/old/ken hook prompt --client claude-code', timeout: 5 }
    desk.write(path, JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [earlier] }] } }))
    await desk.run(setup, { client: 'claude-code', with_hooks: true })
    expect(json(path).hooks.UserPromptSubmit).toEqual([
      {
        hooks: [{ type: 'command', command: 'ken hook prompt --client claude-code --patience 5', timeout: 5 }],
      },
    ])
  })
})
