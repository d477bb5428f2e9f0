import { z } from 'zod'
import { openPostgresDatabase } from '../../database/postgres/index.ts'
import { grantToServerRole, makeApplicationRole } from '../../database/schema/application-role.ts'
import { migrate } from '../../database/schema/migrate.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { keepsVectors } from '../../memory/index/postgres/index.ts'
import { makeNearIndex } from '../../memory/index/postgres/near-meaning.ts'
import { openBundledEmbedder } from '../bundled-model.ts'
import { parsedFlags, neededOf, type CareCommand } from './care-given.ts'

const flags = z.strictObject({ application: z.string().min(1).max(63).optional() })

/** `ken server migrate`: updates the tables as their owner, for servers that log in as a role that owns nothing. */
export const migrateCommand: CareCommand = {
  options: { application: { type: 'string' } },
  async run(given, environment) {
    const { application } = parsedFlags(flags, given)
    const database = await openPostgresDatabase({ url: neededOf(environment, 'DATABASE_URL'), connections: 1 })
    try {
      const { at, done } = await migrate(database, { clock: systemClock })
      await database.transaction('server', (sql) =>
        application === undefined ? grantToServerRole(sql) : makeApplicationRole(sql, application),
      )
      if (await keepsVectors(database)) {
        const embedder = await openBundledEmbedder()
        if (embedder !== undefined) await makeNearIndex(database, embedder.id, embedder.dimensions)
      }
      return [
        `The tables have schema ${at}.${done.length === 0 ? ' No changes.' : ` Applied: ${done.join(', ')}.`}`,
        ...(application === undefined
          ? []
          : [`${application} can run servers: it owns no table and cannot change one.`]),
        '',
      ].join('\n')
    } finally {
      await database.close()
    }
  },
}
