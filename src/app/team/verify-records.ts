import { openPostgresDatabase } from '../../database/postgres/index.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { openPostgresStores } from '../../record/store/postgres/index.ts'
import type { Environment } from '../settings.ts'
import { neededOf } from './needed-of.ts'

/** Compares every record with its journal and returns their number; throws `damaged` with the problems. */
export async function verifyRecords(environment: Environment): Promise<number> {
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
      throw new AppError('damaged', `The rows are there, and not every record agrees with its journal: ${faults[0]}`, {
        hint: `${faults.length} in all. They were so when the backup was made: \`ken verify\` and \`ken repair\` tell more.`,
        details: { faults },
      })
    return records.length
  } finally {
    await database.close()
  }
}

/** A record that cannot be read is reported like the others, and the check continues. */
const UNREADABLE = { discrepancies: [{ path: 'record', kind: 'damaged' }] }
