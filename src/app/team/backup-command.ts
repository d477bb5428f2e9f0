import { resolve } from 'node:path'
import { backUp } from '../../database/backup/back-up.ts'
import { openBackup, type Manifest } from '../../database/backup/backup-file.ts'
import { restore } from '../../database/backup/restore.ts'
import { openPostgresDatabase } from '../../database/postgres/index.ts'
import { migrate } from '../../database/schema/migrate.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { openPostgresStores } from '../../record/store/postgres/index.ts'
import type { Environment } from '../settings.ts'
import { VERSION } from '../version.ts'
import { onlyWord, neededOf, type CareCommand } from './care-given.ts'

export const backupCommand: CareCommand = {
  options: {},
  async run(given, environment) {
    const path = resolve(onlyWord(given, '`ken server backup` needs the file to write.'))
    const database = await openPostgresDatabase({ url: neededOf(environment, 'DATABASE_URL'), connections: 1 })
    const stop = new AbortController()
    const onStop = (): void => stop.abort()
    for (const signal of SIGNALS) process.once(signal, onStop)
    try {
      const manifest = await backUp(database, { path, ken: VERSION, clock: systemClock, signal: stop.signal })
      return `${whatIsIn(manifest)} → ${path}
Keep it as safe as the database: everything that people wrote and the hashes of their tokens are in it.
`
    } finally {
      for (const signal of SIGNALS) process.off(signal, onStop)
      await database.close()
    }
  },
}

export const restoreCommand: CareCommand = {
  options: {},
  async run(given, environment) {
    const path = resolve(onlyWord(given, '`ken server restore` needs the file to read.'))
    const backup = await openBackup(path)
    const { manifest } = backup
    try {
      const database = await openPostgresDatabase({ url: neededOf(environment, 'DATABASE_URL'), connections: 1 })
      try {
        await restore(database, backup, {
          migrate: (into, upTo) => migrate(into, { clock: systemClock, ...(upTo !== undefined && { upTo }) }),
        })
      } finally {
        await database.close()
      }
    } finally {
      await backup.close()
    }
    const records = await verifyRecords(environment)
    return `Restored ${whatIsIn(manifest)}, as they were at ${manifest.at}.
${plural(records, 'record')} verified: every file agrees with its journal.
`
  },
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

const whatIsIn = ({ tables, migrations }: Manifest): string =>
  `${plural(
    tables.reduce((sum, { rows }) => sum + rows, 0),
    'row',
  )} of ${plural(tables.length, 'table')}, schema ${migrations.at(-1)!.number}`

/** Compares every record with its journal and returns their number; throws `damaged` with the problems. */
async function verifyRecords(environment: Environment): Promise<number> {
  const database = await openPostgresDatabase({ url: neededOf(environment, 'DATABASE_URL') })
  try {
    const stores = await openPostgresStores({ database, clock: systemClock })
    const records = await database.transaction('server', (sql) =>
      sql.query<{ id: string; name: string }>(
        'SELECT p.id, p.name FROM ken.records r JOIN ken.projects p ON p.id = r.project ORDER BY p.id',
      ),
    )
    const faults: string[] = []
    for (const { id, name } of records) {
      const record = stores.open({ id, name, mode: 'cloud', location: 'the database' })
      const { discrepancies } = await record.care.inspect().catch(() => UNREADABLE)
      faults.push(...discrepancies.map(({ path, kind }) => `${id} ${path}: ${kind}`))
    }
    await stores.close()
    if (faults.length > 0)
      throw new AppError('damaged', `The rows were restored, but a record does not match its journal: ${faults[0]}`, {
        hint: `${faults.length} in total, already present in the backup. Run \`ken verify\` and \`ken repair\` for details.`,
        details: { faults },
      })
    return records.length
  } finally {
    await database.close()
  }
}

/** A record that cannot be read is reported like the others, and the check continues. */
const UNREADABLE = { discrepancies: [{ path: 'record', kind: 'damaged' }] }
