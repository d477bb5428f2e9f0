import { parseArgs } from 'node:util'
import { systemClock } from '../../adapters/clock/system/index.ts'
import { AppError, ERROR_TABLE } from '../../core/errors.ts'
import { toAppError } from '../../core/to-app-error.ts'
import { writeText } from '../../surfaces/cli/write-text.ts'
import { listen } from '../../surfaces/http/listen.ts'
import { openBundledEmbedder } from '../bundled-model.ts'
import { faultTracer } from '../fault-tracer.ts'
import type { Environment } from '../settings.ts'
import { openTeam, type Team } from './open-team.ts'
import { serveTeam } from './serve-team.ts'
import { setUp } from './set-up.ts'

const HELP = `Usage: ken server [--port <n>] [--host <address>] [--metrics-port <n>]
       ken server setup --organisation <name> --email <address> [--project <name>]

One memory for many people and agents, on PostgreSQL.

  DATABASE_URL    postgres://user:password@host:5432/database; its tables are made and brought up to date here
  KEN_PUBLIC_URL  the address under which people and clients reach it, e.g. https://ken.example.com

  --port          Port to listen on, 4872 by default; TLS is the business of a proxy before it
  --host          Address to listen on, 127.0.0.1 by default
  --metrics-port  Figures for Prometheus at /metrics of another port, on the same address

  setup           The first organisation, its first admin and their token, on a database without any
`

const PORT = 4872
const NOTICE_MS = 5_000

/** `ken server`: a replica until somebody stops it. */
export async function teamCommand(argv: readonly string[], environment: Environment): Promise<number> {
  const trace = faultTracer(environment)
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true })
    if (values.help) return say(HELP)
    const [word, ...more] = positionals
    if (more.length > 0 || (word !== undefined && word !== 'setup'))
      throw new AppError('invalid_input', `There is no \`ken server ${positionals.join(' ')}\`.`, {
        hint: 'See `ken server --help`.',
      })
    // Before the database is touched: its tables are changed when it is opened.
    const place = word === 'setup' ? undefined : placeOf(values, environment)
    const team = await openTeam({
      databaseUrl: needed(environment, 'DATABASE_URL'),
      clock: systemClock,
      embedder: once(openBundledEmbedder),
    })
    try {
      return place === undefined ? say(await setUp(team, values)) : await serve(team, place, trace)
    } finally {
      await team.close()
    }
  } catch (thrown) {
    trace?.(thrown)
    const error = isUsage(thrown)
      ? new AppError('invalid_input', thrown.message, { hint: 'See `ken server --help`.' })
      : toAppError(thrown)
    writeText(process.stderr, `ken: ${error.line}`)
    return ERROR_TABLE[error.code].exit
  }
}

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  'metrics-port': { type: 'string' },
  organisation: { type: 'string' },
  email: { type: 'string' },
  project: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

type Flags = { readonly [K in Exclude<keyof typeof OPTIONS, 'help'>]?: string }

const needed = (environment: Environment, name: string): string => {
  const value = environment[name]?.trim()
  if (value === undefined || value === '')
    throw new AppError('invalid_input', `${name} is not set.`, { hint: 'See `ken server --help`.' })
  return value
}

interface ServerPlace {
  readonly publicUrl: string
  readonly hostname: string
  readonly port: number
  readonly metricsPort: number | undefined
}

const placeOf = (flags: Flags, environment: Environment): ServerPlace => ({
  publicUrl: originOf(needed(environment, 'KEN_PUBLIC_URL')),
  hostname: flags.host ?? '127.0.0.1',
  port: portOf(flags.port) ?? PORT,
  metricsPort: portOf(flags['metrics-port']),
})

async function serve(
  team: Team,
  { publicUrl, hostname, port, metricsPort }: ServerPlace,
  trace: ((thrown: unknown) => void) | undefined,
): Promise<number> {
  const server = await serveTeam(team, {
    publicUrl,
    hostname,
    port,
    clock: systemClock,
    notice: NOTICE_MS,
    log: (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
    logJob: (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
    ...(trace && { trace }),
  })
  const metrics =
    metricsPort === undefined
      ? undefined
      : await listen(
          () => new Response(server.metrics(), { headers: { 'content-type': 'text/plain; version=0.0.4' } }),
          metricsPort,
          { hostname },
        )
  writeText(
    process.stderr,
    `Ken serves ${publicUrl} on ${server.url}${metrics ? `, figures on ${metrics.url}/metrics` : ''}`,
  )
  await new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop())
  })
  await server.drain()
  await metrics?.close()
  return 0
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const port = Number(text)
  if (!(Number.isInteger(port) && port >= 0 && port < 65_536))
    throw new AppError('invalid_input', `A port is a number from 0 to 65535, not "${text}".`)
  return port
}

function originOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.username !== '')
    throw new AppError('invalid_input', 'KEN_PUBLIC_URL is a scheme and a host, e.g. https://ken.example.com.')
  return url.origin
}

/** What the parser of flags says is meant for whoever typed them. */
const isUsage = (thrown: unknown): thrown is Error =>
  String((thrown as { code?: unknown } | null)?.code ?? '').startsWith('ERR_PARSE_ARGS')

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () => (opened ??= open())
}

function say(text: string): number {
  writeText(process.stdout, text)
  return 0
}
