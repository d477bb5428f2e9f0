import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { systemClock } from '../../adapters/clock/system/index.ts'
import { AppError, ERROR_TABLE } from '../../core/errors.ts'
import { emailAddress } from '../../core/team/email-address.ts'
import { hashOfSecret, tokenSecret } from '../../core/team/token.ts'
import { toAppError } from '../../core/to-app-error.ts'
import { ulid } from '../../core/ulid.ts'
import { writeText } from '../../surfaces/cli/write-text.ts'
import { bundledEmbedder } from '../bundled-model.ts'
import { faultTracer } from '../fault-tracer.ts'
import type { Environment } from '../settings.ts'
import { openTeam, type Team } from './open-team.ts'
import { serveTeam } from './serve-team.ts'

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
      throw new AppError('invalid_input', `There is no \`ken server ${positionals.join(' ')}\`.`, { hint: 'See `ken server --help`.' })
    const team = await openTeam({
      databaseUrl: needed(environment, 'DATABASE_URL'),
      clock: systemClock,
      embedder: bundledEmbedder,
    })
    try {
      return word === 'setup' ? await setUp(team, values) : await serve(team, values, { environment, trace })
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
