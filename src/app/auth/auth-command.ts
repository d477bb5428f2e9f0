import { platform } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { AppError, ERROR_TABLE } from '../../kernel/domain/errors.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { openInBrowser } from '../../kernel/system/browser.ts'
import { readStdin } from '../../kernel/system/read-stdin.ts'
import { writeText } from '../../surfaces/cli/write-text.ts'
import { serverOrigin } from '../../team/domain/server-address.ts'
import { keepLogins, type LoginDesk } from '../../team/keep-logins.ts'
import { logInByDevice } from '../../team/log-in-by-device.ts'
import { logInWithToken } from '../../team/log-in-with-token.ts'
import { logOut } from '../../team/log-out.ts'
import type { ShelfPlace, ShelvedLogin } from '../../team/ports/credential-store.ts'
import type { DeviceCodes } from '../../team/ports/login-server.ts'
import { faultTracer } from '../fault-tracer.ts'
import { kenHome } from '../homes.ts'
import { ownHome } from '../own-home.ts'
import type { Environment } from '../settings.ts'
import { openLoginDesk } from './open-logins.ts'

const HELP = `Usage: ken auth login [<server>] [--no-open] [--token]
       ken auth status [<server>]
       ken auth logout [<server>]

Who you are to a team server, e.g. https://ken.example.com. Without a server the one that you are logged in to is meant.

  login       Shows a code to type in a browser, here or on another machine, and waits until you did
  --no-open   Print the address of that page and open no browser
  --token     Read a token of yours from standard input instead, for machines where nobody sits
  status      Which servers let you in, and where what proves it is kept
  logout      Ends the login on the server and forgets it here

What lets you in is kept in the keychain of this system; where there is none, in a file that only you can read.
`

const OPTIONS = {
  'no-open': { type: 'boolean' },
  token: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** `ken auth`. */
export async function authCommand(argv: readonly string[], environment: Environment): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true })
    const [word, server, ...more] = positionals
    if (values.help || word === undefined) return say(HELP)
    const run = Object.hasOwn(COMMANDS, word) && more.length === 0 ? COMMANDS[word] : undefined
    if (run === undefined) throw usage(`There is no \`ken auth ${positionals.join(' ')}\`.`)
    if (word !== 'login' && (values.token || values['no-open'])) throw usage(`\`ken auth ${word}\` takes no flags.`)
    const home = kenHome(environment)
    ownHome(home, (message) => writeText(process.stderr, `ken: ${message}`))
    const desk = openLoginDesk(home)
    return await run(server, desk, {
      environment,
      isOpened: !values['no-open'],
      isToken: values.token === true,
    })
  } catch (thrown) {
    faultTracer(environment)?.(thrown)
    const error = isUsage(thrown) ? usage(thrown.message) : toAppError(thrown)
    writeText(process.stderr, `ken: ${error.line}`)
    return ERROR_TABLE[error.code].exit
  }
}

interface Manner {
  readonly environment: Environment
  readonly isOpened: boolean
  readonly isToken: boolean
}

type Run = (server: string | undefined, desk: LoginDesk, manner: Manner) => Promise<number>

const COMMANDS: Readonly<Record<string, Run>> = { login, status, logout }

async function login(server: string | undefined, desk: LoginDesk, manner: Manner): Promise<number> {
  const origin = await meant(server, desk)
  const place = manner.isToken
    ? await logInWithToken(origin, tokenFromInput(), desk)
    : await logInByDevice(origin, desk, {
        show: (codes) => showCodes(codes, manner),
        pause: (seconds) => setTimeout(seconds * 1_000),
      })
  return say(`Logged in to ${origin}. ${KEPT[place]}`)
}

async function status(server: string | undefined, desk: LoginDesk): Promise<number> {
  const all = await desk.shelf.list()
  const wanted = server === undefined ? all : all.filter((one) => one.server === serverOrigin(server))
  if (server !== undefined && wanted.length === 0) throw notLoggedIn(serverOrigin(server))
  if (wanted.length === 0) return say('You are logged in to no team server. `ken auth login <server>` does it.')
  const states = await Promise.all(wanted.map((one) => stateOf(one, desk)))
  say(states.map(({ line }) => line).join('\n'))
  return states.every(({ isGood }) => isGood) ? 0 : ERROR_TABLE.forbidden.exit
}

async function logout(server: string | undefined, desk: LoginDesk): Promise<number> {
  const origin = await meant(server, desk)
  const { was, revoked } = await logOut(origin, desk)
  if (!was) throw notLoggedIn(origin)
  return say(
    revoked
      ? `Logged out of ${origin}.`
      : `Forgotten here. What let you in may still be good on ${origin}: end it there, under your own page.`,
  )
}

/** Returns the named server, or the only one with a login. */
async function meant(server: string | undefined, { shelf }: LoginDesk): Promise<string> {
  if (server !== undefined) return serverOrigin(server)
  const all = await shelf.list()
  if (all.length === 1) return all[0]!.server
  throw usage(
    all.length === 0
      ? 'Say which server, e.g. `ken auth login https://ken.example.com`.'
      : `Say which server: ${all.map((one) => one.server).join(', ')}.`,
  )
}

async function showCodes({ user, address, lives }: DeviceCodes, { environment, isOpened }: Manner): Promise<void> {
  say(`Type the code ${user} at ${address} within ${Math.floor(lives / 60)} minutes.`)
  if (!isOpened) return
  // If no browser opens, the address is printed above.
  await openInBrowser(address, { platform: platform(), environment })
}

function tokenFromInput(): string {
  if (process.stdin.isTTY)
    throw usage('Pipe the token in, e.g. `ken auth login https://ken.example.com --token < token-file`.')
  return readStdin()
}

async function stateOf(
  one: ShelvedLogin,
  desk: LoginDesk,
): Promise<{ readonly line: string; readonly isGood: boolean }> {
  const { server, kind, place, since } = one
  const what = `${kind === 'personal' ? 'with a token of yours' : 'by browser'}, since ${since.slice(0, 10)}, ${PLACES[place]}`
  try {
    const token = await keepLogins(desk).tokenFor(server)
    const isGood = token !== undefined && (await desk.serverAt(server).accepts(token))
    return { line: `${server}: ${isGood ? 'logged in' : 'not let in any more'} ${what}`, isGood }
  } catch (thrown) {
    return { line: `${server}: ${toAppError(thrown).line}`, isGood: false }
  }
}

const PLACES: Readonly<Record<ShelfPlace, string>> = { keychain: 'in the keychain', file: 'in a file of yours' }
const KEPT: Readonly<Record<ShelfPlace, string>> = {
  keychain: 'What proves it is in the keychain of this system.',
  file: 'This system has no open keychain, so what proves it is in a file that only you can read.',
}

const notLoggedIn = (origin: string): AppError =>
  new AppError('not_found', `You are not logged in to ${origin}.`, { hint: `Run \`ken auth login ${origin}\`.` })

const usage = (message: string): AppError => new AppError('invalid_input', message, { hint: 'See `ken auth --help`.' })

/** Whether an error is from the flag parser, and so meant for the user. */
const isUsage = (thrown: unknown): thrown is Error =>
  String((thrown as { code?: unknown } | null)?.code ?? '').startsWith('ERR_PARSE_ARGS')

function say(text: string): number {
  writeText(process.stdout, text)
  return 0
}
