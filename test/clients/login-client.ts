import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programAtTerminal } from '../pseudo-terminal.ts'
import { openScriptedModel, type Answering, type ModelRequest } from '../scripted-model.ts'
import type { BrowserNotes, SeenLogin } from './browser.ts'
import { environment, makePlace, runProgram } from './client-place.ts'
import type { ClientPlace, RealClient } from './real-clients.ts'
import type { TeamPlace } from './team-place.ts'

/** How a client is configured for a team server and logs in there. */
export interface LoginWay {
  readonly program: RealClient['program']
  /** Its settings with the server added, by path below the home. */
  settings?(written: Readonly<Record<string, string>>, url: string): Readonly<Record<string, string>>
  /** Its own commands, in order; the last one logs in. */
  commands(url: string): readonly (readonly string[])[]
  /** For a client that needs a terminal: the input to type when a given text appears on the screen. */
  readonly typed?: readonly (readonly [string, string])[]
  /** Ages the token of a client that trusts its own clock over the server. */
  grewOld?(home: string): void
}

const inJson = (
  written: Readonly<Record<string, string>>,
  path: string,
  more: object,
): Readonly<Record<string, string>> => ({
  ...written,
  [path]: JSON.stringify({ ...(JSON.parse(written[path]!) as object), ...more }),
})

/** Logins as described in docs/guides/team-server.md. */
export const LOGIN_WAYS: readonly LoginWay[] = [
  {
    program: 'claude',
    commands: (url) => [
      ['mcp', 'add', '--transport', 'http', 'ken', url],
      ['mcp', 'login', 'ken'],
    ],
    typed: [],
  },
  {
    program: 'codex',
    // Otherwise it would write to the keychain of the user who runs the tests.
    settings: (written) => ({
      '.codex/config.toml': `mcp_oauth_credentials_store = "file"\n${written['.codex/config.toml']}`,
    }),
    commands: (url) => [['mcp', 'add', 'ken', '--url', url]],
  },
  {
    program: 'opencode',
    settings: (written, url) =>
      inJson(written, '.config/opencode/opencode.json', { mcp: { ken: { type: 'remote', url } } }),
    commands: () => [['mcp', 'auth', 'ken']],
  },
  {
    program: 'gemini',
    settings: (written, url) => inJson(written, '.gemini/settings.json', { mcpServers: { ken: { httpUrl: url } } }),
    commands: () => [['-p', '/mcp auth ken']],
    typed: [['[Y/n]', 'y\r']],
    grewOld(home) {
      const path = join(home, '.gemini', 'mcp-oauth-tokens.json')
      const kept = JSON.parse(readFileSync(path, 'utf8')) as { token: { expiresAt: number } }[]
      for (const { token } of kept) token.expiresAt = 1
      writeFileSync(path, JSON.stringify(kept))
    },
  },
]

/** Logins without a browser, with a token in KEN_TOKEN. */
export const TOKEN_WAYS: readonly LoginWay[] = [
  {
    program: 'claude',
    commands: (url) => [
      ['mcp', 'add', '--transport', 'http', 'ken', url, '--header', 'Authorization: Bearer ${KEN_TOKEN}'],
    ],
  },
  { program: 'codex', commands: (url) => [['mcp', 'add', 'ken', '--url', url, '--bearer-token-env-var', 'KEN_TOKEN']] },
]

/** A real client in an empty home, its scripted model, and a signed-in browser. */
export async function openLoginClient(
  client: RealClient,
  way: LoginWay,
  {
    program,
    team,
    project,
    token,
  }: { readonly program: string; readonly team: TeamPlace; readonly project: string; readonly token?: string },
) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `ken-login-${client.program}-`)))
  const model = await openScriptedModel(() => 'Nothing to do.')
  const place: ClientPlace = { home: join(root, 'home'), project: join(root, 'home', 'shop'), modelUrl: model.url }
  const url = `${team.origin}/mcp`
  makePlace({ ...client, settings: (at) => way.settings?.(client.settings(at), url) ?? client.settings(at) }, place)
  const browser = openTestBrowser(root, { cookie: team.cookie, project })
  const env = {
    ...environment(client, place, { ken: browser.bin, client: program }),
    ...browser.env,
    ...(token && { KEN_TOKEN: token }),
  }
  const run = (words: readonly string[], input = '') => runProgram(program, words, { cwd: place.project, env, input })
  return {
    async logIn(): Promise<{ readonly printed: string; readonly seen: readonly SeenLogin[] }> {
      let printed = ''
      const commands = way.commands(url)
      for (const [at, words] of commands.entries()) {
        const isSitting = way.typed !== undefined && at === commands.length - 1
        printed += isSitting
          ? (await programAtTerminal([program, ...words], { cwd: place.project, env, answers: way.typed! })).text
          : await run(words)
      }
      return { printed, seen: browser.seen() }
    },
    grewOld: () => way.grewOld?.(place.home),
    /** Runs one session; returns the requests to the model. */
    async session(reply: Answering): Promise<{ readonly printed: string; readonly requests: readonly ModelRequest[] }> {
      model.reply = reply
      const from = model.requests.length
      const prompt = 'Please look into the record.'
      const printed =
        client.promptBy === 'argument' ? await run([...client.arguments, prompt]) : await run(client.arguments, prompt)
      return { printed, requests: model.requests.slice(from) }
    },
    async close(): Promise<void> {
      await model.close()
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Every command that clients use to start a browser runs browser.ts. */
function openTestBrowser(root: string, { cookie, project }: Omit<BrowserNotes, 'seen'>) {
  const [bin, notes, seen] = [join(root, 'bin'), join(root, 'browser.json'), join(root, 'seen.jsonl')]
  mkdirSync(bin)
  writeFileSync(notes, JSON.stringify({ cookie, project, seen } satisfies BrowserNotes))
  writeFileSync(seen, '')
  const opener = join(bin, 'xdg-open')
  const script = join(import.meta.dirname, 'browser.ts')
  writeFileSync(
    opener,
    `#!/bin/sh\nKEN_TEST_BROWSER='${notes}' exec '${process.execPath}' --no-warnings '${script}' "$@"\n`,
  )
  chmodSync(opener, 0o755)
  return {
    bin,
    env: { DISPLAY: ':0', BROWSER: opener },
    seen: (): SeenLogin[] =>
      readFileSync(seen, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as SeenLogin),
  }
}
