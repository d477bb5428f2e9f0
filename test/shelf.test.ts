import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { z } from 'zod'
import { shelfFiles } from '../scripts/shelf/shelf-files.ts'
import { clientSpeaks } from '../src/app/client-speaks.ts'
import { REGISTRY } from '../src/operations/registry.ts'
import { COMMANDS } from '../src/setup/domain/commands.ts'

const ROOT = resolve(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const json = (path: string): any => JSON.parse(read(path))
const { version, mcpName } = json('package.json')
const files = await shelfFiles()

test('the integration files match setup and the registry', () => {
  expect(execFileSync(process.execPath, ['scripts/shelf.ts', '--check'], { cwd: ROOT, encoding: 'utf8' })).toContain(
    'up to date',
  )
})

const NPX = /^npx -y kenbase(?: |$)/
const KEBAB = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
const server = z.strictObject({ command: z.string(), args: z.array(z.string()) })
const handlers = (events: Record<string, unknown>) =>
  z.object({ hooks: z.strictObject(Object.fromEntries(Object.keys(events).map((name) => [name, groups]))) })
const groups = z
  .array(
    z.strictObject({
      hooks: z.array(
        z.strictObject({
          type: z.literal('command'),
          command: z.string().regex(NPX),
          name: z.string().optional(),
          timeout: z.number(),
        }),
      ),
    }),
  )
  .min(1)

describe('formats', () => {
  test('the marketplace names a plugin that exists at its path', () => {
    const marketplace = z
      .strictObject({
        name: KEBAB,
        owner: z.strictObject({ name: z.string() }),
        metadata: z.strictObject({ description: z.string(), version: z.string() }),
        plugins: z.array(
          z.strictObject({
            name: KEBAB,
            source: z.string().startsWith('./'),
            description: z.string(),
            version: z.literal(version),
            license: z.string(),
            category: z.string(),
          }),
        ),
      })
      .parse(json('.claude-plugin/marketplace.json'))
    const [plugin] = marketplace.plugins
    expect(json(join(plugin!.source, '.claude-plugin/plugin.json'))).toMatchObject({ name: plugin!.name, version })
  })

  test('the plugin and the extension start the server and the hooks through npx', () => {
    const plugin = z.strictObject({ mcpServers: z.strictObject({ ken: server }) })
    const { ken } = plugin.parse(json('integrations/claude-code/.mcp.json')).mcpServers
    expect([ken.command, ...ken.args].join(' ')).toMatch(NPX)
    handlers({ SessionStart: 1, UserPromptSubmit: 1, Stop: 1 }).parse(json('integrations/claude-code/hooks/hooks.json'))
    const extension = z
      .strictObject({
        name: KEBAB,
        version: z.literal(version),
        description: z.string(),
        mcpServers: z.strictObject({ ken: server }),
      })
      .parse(json('integrations/gemini/gemini-extension.json'))
    expect(extension.mcpServers.ken).toEqual(ken)
    const { hooks } = json('integrations/gemini/hooks/hooks.json')
    handlers(hooks).parse({ hooks })
    expect(Object.keys(hooks)).toEqual(expect.arrayContaining(['SessionStart', 'BeforeAgent']))
  })

  test('Codex and OpenCode get the same server', () => {
    const { ken } = json('integrations/claude-code/.mcp.json').mcpServers
    expect(parseToml(read('integrations/codex/config.toml'))).toMatchObject({ mcp_servers: { ken } })
    handlers({ SessionStart: 1, UserPromptSubmit: 1, Stop: 1 }).parse(json('integrations/codex/hooks.json'))
    const { mcp } = json('integrations/opencode/opencode.json')
    expect(mcp.ken).toMatchObject({ type: 'local', enabled: true, command: [ken.command, ...ken.args] })
    expect(json('integrations/vscode/mcp.json')).toEqual({ servers: { ken: { type: 'stdio', ...ken } } })
  })

  test('the link opens VS Code with the entry that setup would write', () => {
    const page = read('integrations/README.md')
    const direct = /^vscode:mcp\/install\?(\S+)$/m.exec(page)![1]!
    const { ken } = json('integrations/vscode/mcp.json').servers
    expect(JSON.parse(decodeURIComponent(direct))).toEqual({ name: 'ken', ...ken })
    const web = new URL(/\]\((https:\/\/vscode\.dev\/[^)]+)\)/.exec(page)![1]!)
    expect(web.searchParams.get('name')).toBe('ken')
    expect(JSON.parse(web.searchParams.get('config')!)).toEqual(ken)
  })

  // The limits are those of the registry's schema.
  test('server.json is a valid entry for the MCP server registry', () => {
    const argument = z.strictObject({ type: z.literal('positional'), value: z.string().min(1) })
    const entry = z
      .strictObject({
        $schema: z.url(),
        name: z
          .string()
          .max(200)
          .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
        title: z.string().min(1).max(100),
        description: z.string().min(1).max(100),
        version: z.literal(version),
        packages: z.tuple([
          z.strictObject({
            registryType: z.literal('npm'),
            identifier: z.literal('kenbase'),
            version: z.literal(version),
            runtimeHint: z.literal('npx'),
            transport: z.strictObject({ type: z.literal('stdio') }),
            packageArguments: z.array(argument),
          }),
        ]),
      })
      .parse(json('server.json'))
    expect(entry.name).toBe(mcpName)
    const { args } = json('integrations/claude-code/.mcp.json').mcpServers.ken
    expect(['-y', 'kenbase', ...entry.packages[0].packageArguments.map(({ value }) => value)]).toEqual(args)
  })

  test('no file contains a path from the machine on which it was built', () => {
    const all = Object.values(files).join('\n')
    expect(all).not.toContain(ROOT)
    expect(all).not.toMatch(/\/home\/\w|\/project\/|\/Users\//)
  })
})

describe('commands', () => {
  const frontmatter = (text: string): any => parseYaml(/^---\n([\s\S]*?)\n---\n/.exec(text)![1]!)

  test('are check, recall, decide and brief, in every client that supports commands, and pass the user’s arguments', () => {
    expect(COMMANDS.map(({ name }) => name)).toEqual(['check', 'recall', 'decide', 'brief'])
    for (const { name, description, body } of COMMANDS) {
      const claude = read(`integrations/claude-code/commands/${name}.md`)
      expect(frontmatter(claude)).toMatchObject({ description, 'argument-hint': expect.stringMatching(/^\[\w+\]$/) })
      const opencode = read(`integrations/opencode/commands/ken/${name}.md`)
      expect(frontmatter(opencode)).toEqual({ description })
      const gemini = parseToml(read(`integrations/gemini/commands/ken/${name}.toml`))
      expect(gemini).toMatchObject({ description })
      for (const text of [claude, opencode]) expect(text).toContain(`${body}\n\nAbout: $ARGUMENTS\n`)
      expect(gemini['prompt']).toContain(`${body}\n\nAbout: {{args}}\n`)
      expect(frontmatter(read(`integrations/codex/skills/ken-${name}/SKILL.md`))).toMatchObject({ name: `ken-${name}` })
    }
  })

  test('name only existing tools', () => {
    const tools = new Set(REGISTRY.filter(({ toolset }) => toolset !== 'cli').map(({ name }) => name))
    for (const { body } of COMMANDS) {
      const named = body.match(/\b[a-z]+(?:_[a-z]+)+\b/g)!
      expect(named.filter((name) => !tools.has(name))).toEqual([])
    }
  })
})

describe('Ken without arguments', () => {
  const spoken = (...parts: string[]): PassThrough => {
    const stream = new PassThrough()
    for (const part of parts) stream.write(part)
    stream.end()
    return stream
  }

  test.each([
    [['{"jsonrpc":"2.0"}\n'], true],
    [['\n', '  {"a":1}'], true],
    [[], false],
    [['\n\n'], false],
    [['check this\n'], false],
  ])('%j is a client: %s', async (parts, expected) => {
    expect(await clientSpeaks(spoken(...parts))).toBe(expected)
  })

  test('the first bytes from the client are not lost', async () => {
    const input = spoken('{"id":1}\n', '{"id":2}\n')
    expect(await clientSpeaks(input)).toBe(true)
    expect((await input.toArray()).join('')).toBe('{"id":1}\n{"id":2}\n')
  })

  test('starts the server for a client, with the commands as prompts', async () => {
    const home = mkdtempSync(join(tmpdir(), 'ken-shelf-'))
    const client = new Client({ name: 'test-agent', version: '9' })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(ROOT, 'bin/ken.js')],
        cwd: home,
        env: { PATH: process.env['PATH']!, HOME: home, KEN_HOME: join(home, '.ken') },
        stderr: 'pipe',
      }),
    )
    try {
      const { prompts } = await client.listPrompts()
      expect(prompts.map(({ name }) => name)).toEqual(expect.arrayContaining(COMMANDS.map(({ name }) => name)))
      const { messages } = await client.getPrompt({ name: 'recall', arguments: { about: 'the flaky upload' } })
      expect(JSON.stringify(messages)).toContain('About: the flaky upload')
    } finally {
      await client.close()
      rmSync(home, { recursive: true, force: true })
    }
  })

  test('shows the overview to a script', () => {
    const ran = spawnSync(process.execPath, ['bin/ken.js'], { cwd: ROOT, input: '', encoding: 'utf8' })
    expect(ran).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: ken <command>') })
  })
})
