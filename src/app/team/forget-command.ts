import { createHash } from 'node:crypto'
import { z } from 'zod'
import { systemClock } from '../../adapters/clock/system/index.ts'
import { auditedOf, eraseProject } from '../../adapters/database/erase-project.ts'
import { openPostgresDatabase } from '../../adapters/database/postgres/index.ts'
import { AppError } from '../../core/errors.ts'
import type { SqlDatabase } from '../../ports/sql-database.ts'
import { VERSION } from '../version.ts'
import { parsedFlags, type CareCommand } from './care-given.ts'
import { neededOf } from './needed-of.ts'

const DAY_MS = 24 * 60 * 60_000
const flags = z.strictObject({
  project: z.string().min(1),
  'backup-days': z.coerce.number().int().min(0).max(36_500),
  yes: z.literal(true, 'deletes it for good, so it must be said'),
})

/** `ken server forget`: a project is deleted for good, and what was deleted is told as a proof. */
export const forgetCommand: CareCommand = {
  options: { project: { type: 'string' }, 'backup-days': { type: 'string' }, yes: { type: 'boolean' } },
  async run(given, environment) {
    const { project, 'backup-days': days } = parsedFlags(flags, given)
    const database = await openPostgresDatabase({ url: neededOf(environment, 'DATABASE_URL'), connections: 1 })
    try {
      return `${JSON.stringify(await forgetProject(database, { project, days, at: systemClock.now() }), undefined, 2)}\n`
    } finally {
      await database.close()
    }
  },
}

/** Deletes a project and gives the proof of it. Throws `not_found` where there is nothing of it. */
export async function forgetProject(
  database: SqlDatabase,
  { project, days, at }: { readonly project: string; readonly days: number; readonly at: Date },
): Promise<Readonly<Record<string, unknown>>> {
  const removed = await eraseProject(database, project)
  if (removed.length === 0)
    throw new AppError('not_found', `There is nothing of a project ${project}.`, { hint: 'Name it by its id.' })
  // What a call that was under way wrote while it went.
  const late = await eraseProject(database, project)
  const proof = {
    project,
    at: at.toISOString(),
    ken: VERSION,
    removed,
    ...(late.length > 0 && { removed_after: late }),
    kept: {
      audit_log: await auditedOf(database, project),
      why: 'Who did what, by ids and without a word of it, until retention deletes it.',
    },
    backups_hold_it_until: new Date(at.getTime() + days * DAY_MS).toISOString(),
  }
  return { ...proof, sha256: createHash('sha256').update(JSON.stringify(proof)).digest('hex') }
}
