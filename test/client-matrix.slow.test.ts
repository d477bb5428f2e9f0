import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foldersIn, installedKen, programOf } from './clients/client-matrix.ts'
import { openClient, type OpenedClient } from './clients/client-place.ts'
import { REAL_CLIENTS, type RealClient } from './clients/real-clients.ts'
import { seenIn, tryClient } from './clients/try-client.ts'

// Clients are large and downloaded, so a suite cannot include them: KEN_CLIENTS lists the folders (like PATH) in which
// npm installed them. Missing clients are skipped by name.
const FOLDERS = foldersIn(process.env['KEN_CLIENTS'])
const ROOT = resolve(import.meta.dirname, '..')
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-matrix-')))
const WITHOUT = 'is not installed: KEN_CLIENTS names no folder with it'
let ken: ReturnType<typeof installedKen>

beforeAll(() => {
  if (REAL_CLIENTS.some((client) => programOf(client, FOLDERS) !== undefined)) ken = installedKen(place)
}, 300_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

const named = (program: string): RealClient => REAL_CLIENTS.find((client) => client.program === program)!

describe.each(REAL_CLIENTS.map((client) => [client.program, client] as const))('%s, set up by Ken', (name, client) => {
  const program = programOf(client, FOLDERS)
  if (program === undefined) return test.skip(`${name} ${WITHOUT}`)
  test.each(client.noHttp === undefined ? (['stdio', 'http'] as const) : (['stdio'] as const))(
    'calls tools over %s, receives everything once, and its removal restores every byte',
    async (transport) => {
      const trial = await tryClient(client, transport, { ken: ken.bin, client: program })
      expect(trial, trial.printed).toMatchObject({ tools: true, sessionHook: 1, promptHook: 1, block: 1 })
      expect([trial.leftAtOnce, trial.leftAfterUse]).toEqual([[], []])
      expect(trial.serverInstructions).toBeLessThanOrEqual(1)
    },
  )
})

/** How a client gets the contents of integrations/, and how a person calls a command there. */
interface ClientIntegration {
  readonly program: string
  install(client: OpenedClient): Promise<void> | void
  ask(client: OpenedClient, about: string): Promise<string>
}

const ABOUT = 'Move the job queue to RabbitMQ'
const shelf = (path: string): string => join(ROOT, 'integrations', path)

const SHELVES: readonly ClientIntegration[] = [
  {
    program: 'claude',
    async install({ run }) {
      expect(await run(['plugin', 'validate', ROOT])).toContain('Validation passed')
      expect(await run(['plugin', 'validate', shelf('claude-code')])).toContain('Validation passed')
      expect(await run(['plugin', 'marketplace', 'add', ROOT])).toContain('Successfully added marketplace')
      expect(await run(['plugin', 'install', 'ken@kenbase'])).toContain('Successfully installed plugin')
    },
    ask: ({ run }, about) => run(['--allowedTools', 'mcp__plugin_ken_ken', '-p', `/ken:check ${about}`]),
  },
  {
    program: 'gemini',
    async install({ run, home, project }) {
      const trusted = { [project]: 'TRUST_FOLDER', [ROOT]: 'TRUST_FOLDER' }
      writeFileSync(join(home, '.gemini', 'trustedFolders.json'), JSON.stringify(trusted))
      expect(await run(['extensions', 'validate', shelf('gemini')])).toContain('successfully validated')
      expect(await run(['extensions', 'install', shelf('gemini'), '--consent'])).toContain('installed successfully')
    },
    // Without a person, Gemini CLI puts the output of a start hook before the prompt, and then recognises no command in
    // it.
    async ask({ say, home }, about) {
      await say(about)
      rmSync(join(home, '.gemini', 'extensions', 'ken', 'hooks'), { recursive: true })
      return say(`/ken:check ${about}`)
    },
  },
  {
    program: 'opencode',
    install({ project }) {
      cpSync(shelf('opencode/opencode.json'), join(project, 'opencode.json'))
      for (const folder of ['plugins', 'commands'])
        cpSync(shelf(`opencode/${folder}`), join(project, '.opencode', folder), { recursive: true })
    },
    ask: ({ run }, about) => run(['run', '--command', 'ken/check', about]),
  },
  {
    program: 'codex',
    install({ home }) {
      appendFileSync(join(home, '.codex', 'config.toml'), `\n${readFileSync(shelf('codex/config.toml'), 'utf8')}`)
      cpSync(shelf('codex/hooks.json'), join(home, '.codex', 'hooks.json'))
      cpSync(shelf('codex/skills'), join(home, '.agents', 'skills'), { recursive: true })
    },
    ask: ({ say }, about) => say(`$ken-check ${about}`),
  },
]

describe.each(SHELVES.map((one) => [one.program, one] as const))('%s, installed from integrations/', (name, one) => {
  const program = programOf(named(name), FOLDERS)
  if (program === undefined) return test.skip(`${name} ${WITHOUT}`)
  test('has the server, the hooks and the command', async () => {
    const client = await openClient(named(name), { ken: ken.bin, client: program })
    try {
      withNpx(client.project)
      await one.install(client)
      const printed = await one.ask(client, ABOUT)
      const answered = client.model.requests.filter(({ answers }) =>
        answers.some(({ text }) => text.includes('RabbitMQ')),
      )
      expect(answered, printed.slice(-2_000)).not.toEqual([])
      expect(seenIn(answered[0]).sessionHook).toBe(1)
      const told = answered.at(-1)!.said
      expect(told).toContain("Check this against the project's record, and change nothing.")
      expect(told).toContain(ABOUT)
    } finally {
      await client.close()
    }
  })
})

/** Puts the package where npx looks first, in the layout of `npm install kenbase`: no registry has it. */
function withNpx(project: string): void {
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  symlinkSync(ken.package, join(modules, 'kenbase'))
  symlinkSync('../kenbase/bin/ken.js', join(modules, '.bin', 'kenbase'))
  writeFileSync(join(project, 'package.json'), '{"private":true,"dependencies":{"kenbase":"*"}}')
}
