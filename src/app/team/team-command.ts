import { parseArgs } from 'node:util'
import { AppError, ERROR_TABLE } from '../../kernel/domain/errors.ts'
import { faultLine } from '../../kernel/domain/fault-trace.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import type { Tracer } from '../../kernel/ports/tracer.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { writeText } from '../../surfaces/cli/write-text.ts'
import { listen, type Listening } from '../../surfaces/http/listen.ts'
import { openClientDocuments } from '../../team/adapters/https-client-documents.ts'
import { setupCode } from '../../team/first-start.ts'
import { openBundledEmbedder } from '../bundled-model.ts'
import { faultTracer } from '../fault-tracer.ts'
import type { Environment } from '../settings.ts'
import { webAppFiles } from '../web-app-files.ts'
import { auditCommand, retentionCommand } from './audit-command.ts'
import { backupCommand, restoreCommand } from './backup-command.ts'
import { readProxies } from './browser-routes.ts'
import { neededOf, type CareCommand, type CareGiven } from './care-given.ts'
import { exportCommand } from './export-command.ts'
import { forgetCommand } from './forget-command.ts'
import { migrateCommand } from './migrate-command.ts'
import { openTeam, type Team } from './open-team.ts'
import { openTracer } from './open-tracer.ts'
import { PEOPLE_HELP, peopleCommand } from './people-command.ts'
import { serveTeam } from './serve-team.ts'
import { setUp } from './set-up.ts'
import { openSignInWays } from './sign-in-ways.ts'
import { openChannels } from './team-channels.ts'

const COMMANDS: ReadonlyMap<string, CareCommand> = new Map([
  ['backup', backupCommand],
  ['restore', restoreCommand],
  ['migrate', migrateCommand],
  ['audit', auditCommand],
  ['retention', retentionCommand],
  ['export', exportCommand],
  ['forget', forgetCommand],
])

const CARE_HELP = `  backup FILE     Everything of the database as it is now, while servers go on; what people wrote and hashes of
                  their tokens are in it
  restore FILE    A backup into a database without tables of Ken, all of it or nothing
  migrate         Updates the tables, as their owner; --application names a login role that servers may then use,
                  which owns no table
  audit           Who did what, the newest first, one JSON object a line: --person, --project, --organisation,
                  --operation, --outcome, --since, --until, --limit, --without-page-reads,
                  and --before the place where a page ended
  retention       Ends what was kept long enough, as servers do every hour; with --audit-days also what is older of the
                  audit log, in all organisations; 30 is the least
  export FILE     Everything of --person <email or id> or --project <id>, as a .tar.gz with a README
  forget          Deletes everything of --person <email or id> or --project <id> for good, with --yes, and says what it
                  was and what is left; --backup-days is how long your backups live, which the proof names
`

/** Runs a maintenance command; undefined if the first word is not one. */
async function careCommand(argv: readonly string[], environment: Environment): Promise<string | undefined> {
  const command = COMMANDS.get(argv[0] ?? '')
  if (command === undefined) return undefined
  const { values, positionals } = parseArgs({
    args: argv.slice(1),
    options: command.options,
    allowPositionals: true,
  })
  return command.run({ words: positionals, flags: values as CareGiven['flags'] }, environment)
}

const HELP = `Usage: ken server [--port <n>] [--host <address>] [--metrics-port <n>]
       ken server setup --organisation <name> --email <address> [--project <name>] [--another]
       ken server people | invite <email> | token <email>
       ken server backup | restore | migrate | export <file> | audit | retention | forget

One memory for many people and agents, on PostgreSQL.

  DATABASE_URL    postgres://user:password@host:5432/database; its tables are made and brought up to date here
  KEN_PUBLIC_URL  the address under which people and clients reach it, e.g. https://ken.example.com
  OTEL_EXPORTER_OTLP_ENDPOINT  where traces go (OTLP over HTTP), e.g. http://localhost:4318; none without it

  KEN_PROXIES     how many proxies of yours stand before it, 0 by default: who signs in is counted by address
  KEN_SMTP_URL    smtps://user:password@host:465, for codes by mail; KEN_MAIL_FROM says whom they come from
  KEN_OIDC_ISSUER an OpenID Connect provider, with KEN_OIDC_CLIENT_ID, KEN_OIDC_CLIENT_SECRET, KEN_OIDC_DOMAINS
  KEN_SLACK_PROJECTS    where Slack asks which project, e.g. T012AB3C4=01M7…; with KEN_SLACK_BOT_TOKEN and
                        KEN_SLACK_SIGNING_SECRET (docs/guides/slack.md)
  KEN_TEAMS_PROJECTS    where Microsoft Teams asks which project, by tenant; with KEN_TEAMS_APP_ID and
                        KEN_TEAMS_APP_PASSWORD (docs/guides/teams.md)
  KEN_SECRET_KEY  32 characters or more, the same on every replica: seals tokens of git repositories and webhooks
  KEN_GIT_HOSTS   git hosts in a private network that contexts may come from; KEN_GIT_CA names their authority in PEM
  KEN_WEBHOOK_HOSTS  hosts in a private network that webhooks may notify, without TLS too
  KEN_CONTEXT_TRUST  a file that says what contexts may reach beyond their repository
  KEN_CLIENT_DOCUMENTS  off where it reaches no address outside: agents then register themselves

  --port          Port to listen on, 4872 by default; TLS is the business of a proxy before it
  --host          Address to listen on, 127.0.0.1 by default
  --metrics-port  Figures for Prometheus at /metrics of another port, on the same address

  setup           An organisation, its first admin and their token: the first one of a database, or one more with
                  --another
${PEOPLE_HELP}${CARE_HELP}`

type FaultTracer = (thrown: unknown) => void

const PORT = 4872
const NOTICE_MS = 5_000

/** `ken server`: runs a replica until stopped. */
export async function teamCommand(argv: readonly string[], environment: Environment): Promise<number> {
  const trace = faultTracer(environment)
  try {
    const told = (await peopleCommand(argv, environment)) ?? (await careCommand(argv, environment))
    if (told !== undefined) return told === '' ? 0 : say(told)
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true })
    if (values.help) return say(HELP)
    const [word, ...more] = positionals
    if (more.length > 0 || (word !== undefined && word !== 'setup'))
      throw new AppError('invalid_input', `Unknown command \`ken server ${positionals.join(' ')}\`.`, {
        hint: 'See `ken server --help`.',
      })
    // Parsed before the database is opened, which migrates its tables.
    const place = word === 'setup' ? undefined : placeOf(values, environment)
    const tracer = place && openTracer(environment)
    const team = await openTeam({
      databaseUrl: neededOf(environment, 'DATABASE_URL'),
      clock: systemClock,
      embedder: once(openBundledEmbedder),
      environment,
      tracer,
      warn: (message) => writeText(process.stderr, `ken: ${message}`),
    })
    try {
      return place === undefined
        ? say(await setUp(team, values))
        : await serve(team, { ...place, tracer }, { environment, trace })
    } finally {
      await team.close()
      await tracer?.close()
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
  another: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type Flags = { readonly [K in Exclude<keyof typeof OPTIONS, 'help' | 'another'>]?: string }

interface ServerPlace {
  readonly publicUrl: string
  readonly hostname: string
  readonly port: number
  readonly metricsPort: number | undefined
  readonly proxies: number
}

interface Served extends ServerPlace {
  readonly tracer: Tracer | undefined
}

const placeOf = (flags: Flags, environment: Environment): ServerPlace => ({
  publicUrl: originOf(neededOf(environment, 'KEN_PUBLIC_URL')),
  hostname: flags.host ?? '127.0.0.1',
  port: portOf(flags.port) ?? PORT,
  metricsPort: portOf(flags['metrics-port']),
  proxies: readProxies(environment['KEN_PROXIES']),
})

async function serve(
  team: Team,
  { publicUrl, hostname, port, metricsPort, proxies, tracer }: Served,
  { environment, trace }: { readonly environment: Environment; readonly trace: FaultTracer | undefined },
): Promise<number> {
  const server = await serveTeam(team, {
    people: {
      ways: await openSignInWays(environment, { publicUrl, clock: systemClock }),
      files: await webAppFiles(),
      allowsRegistration: true,
      documents: isOff(environment['KEN_CLIENT_DOCUMENTS']) ? undefined : openClientDocuments(),
    },
    channels: openChannels(environment),
    proxies,
    publicUrl,
    hostname,
    port,
    clock: systemClock,
    notice: NOTICE_MS,
    tracer,
    log: writeLine,
    logJob: writeLine,
    trace(thrown) {
      const line = faultLine(thrown, systemClock.now())
      if (line !== undefined) writeLine(line)
      trace?.(thrown)
    },
  })
  let metrics: Listening | undefined
  // Registered before the address is printed: a reader of the address may stop the server at once.
  const stopped = new Promise<void>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop())
  })
  try {
    if (metricsPort !== undefined) metrics = await listen(() => figures(server.metrics()), metricsPort, { hostname })
    writeText(
      process.stderr,
      `Ken serves ${publicUrl} on ${server.url}${metrics ? `, figures on ${metrics.url}/metrics` : ''}`,
    )
    const code = await setupCode(team.signIn)
    if (code !== undefined)
      writeText(process.stderr, `Nobody is here yet. Begin at ${publicUrl}/setup with this code, within a day: ${code}`)
    await stopped
    await server.drain()
    return 0
  } catch (error) {
    // Without its database the server would only fail requests.
    await server.close()
    throw error
  } finally {
    await metrics?.close()
  }
}

const writeLine = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

const figures = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4' } })

const isOff = (said: string | undefined): boolean => /^(?:0|false|no|off)$/i.test((said ?? '').trim())

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
    throw new AppError('invalid_input', 'KEN_PUBLIC_URL must be a scheme and a host, e.g. https://ken.example.com.')
  return url.origin
}

/** Whether an error is from the flag parser, and so meant for the user. */
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
