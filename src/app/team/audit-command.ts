import { z } from 'zod'
import { openPostgresDatabase } from '../../database/postgres/index.ts'
import { plural } from '../../kernel/domain/text.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import { openAuditLog } from '../../team/adapters/postgres-audit-log.ts'
import { openRetention } from '../../team/adapters/postgres-retention.ts'
import { openPostgresAuthorizations } from '../../team/authorizations/postgres/index.ts'
import type { AuditLog } from '../../team/ports/audit-log.ts'
import type { Environment } from '../settings.ts'
import { parsedFlags, neededOf, type CareCommand } from './care-given.ts'

const time = z.union([z.iso.datetime({ offset: true }), z.iso.date()])
const filters = z.strictObject({
  organisation: z.string().optional(),
  person: z.string().optional(),
  project: z.string().optional(),
  agent: z.string().optional(),
  operation: z.string().optional(),
  outcome: z.string().optional(),
  since: time.optional(),
  until: time.optional(),
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(100),
  'without-page-reads': z.boolean().default(false),
})

const text = { type: 'string' } as const

/** `ken server audit`: audit events, newest first, one JSON object per line. */
export const auditCommand: CareCommand = {
  options: {
    ...Object.fromEntries(Object.keys(filters.shape).map((name) => [name, text])),
    'without-page-reads': { type: 'boolean' },
  },
  async run(given, environment) {
    const { 'without-page-reads': without_page_reads, ...filter } = parsedFlags(filters, given)
    const entries = await withLog(environment, (log) => log.read({ ...filter, without_page_reads }))
    return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  },
}

const keeping = z.strictObject({ 'audit-days': z.coerce.number().int().min(30).max(36_500).optional() })

/** `ken server retention`: deletes data past its retention period, once. */
export const retentionCommand: CareCommand = {
  options: { 'audit-days': text },
  async run(given, environment) {
    const days = parsedFlags(keeping, given)['audit-days']
    if (days === undefined) return withDatabase(environment, enforced)
    const before = new Date(Date.now() - days * 24 * 60 * 60_000).toISOString()
    const gone = await withLog(environment, (log) => log.trim(before))
    return `${plural(gone, 'entry', 'entries')} of the audit log from before ${before} deleted.\n`
  },
}

async function enforced(database: SqlDatabase): Promise<string> {
  await openPostgresAuthorizations(database).authorizations.sweep(new Date())
  const gone = Object.entries(await openRetention(database).enforce(new Date()))
  if (gone.length === 0) return 'Nothing was kept for too long.\n'
  return `Ended: ${gone.map(([kind, rows]) => `${rows} ${kind.replaceAll('_', ' ')}`).join(', ')}.\n`
}

const withLog = <T>(environment: Environment, work: (log: AuditLog) => Promise<T>): Promise<T> =>
  withDatabase(environment, (database) => work(openAuditLog(database)))

async function withDatabase<T>(environment: Environment, work: (database: SqlDatabase) => Promise<T>): Promise<T> {
  const database = await openPostgresDatabase({ url: neededOf(environment, 'DATABASE_URL'), connections: 1 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
