import { createHash } from 'node:crypto'
import { z } from 'zod'
import { eraseProject } from '../../database/erase-project.ts'
import { mentionsOf } from '../../database/mentions.ts'
import { openPostgresDatabase } from '../../database/postgres/index.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { openAuditLog } from '../../team/adapters/postgres-audit-log.ts'
import { VERSION } from '../version.ts'
import { parsedFlags, neededOf, personNamed, type CareCommand } from './care-given.ts'
import { forgetPerson } from './forget-person.ts'
import { auditServer } from './server-audit.ts'

const DAY_MS = 24 * 60 * 60_000
const flags = z.strictObject({
  project: z.string().min(1).optional(),
  person: z.string().min(1).max(254).optional(),
  organisation: z.string().optional(),
  'backup-days': z.coerce.number().int().min(0).max(36_500),
  yes: z.literal(true, 'deletes it for good, so it must be said'),
})

/** `ken server forget`: deletes a person or a project for good, and prints a proof of the deletion. */
export const forgetCommand: CareCommand = {
  options: {
    project: { type: 'string' },
    person: { type: 'string' },
    organisation: { type: 'string' },
    'backup-days': { type: 'string' },
    yes: { type: 'boolean' },
  },
  async run(given, environment) {
    const { project, person: named, organisation, 'backup-days': days } = parsedFlags(flags, given)
    if ((project === undefined) === (named === undefined))
      throw new AppError('invalid_input', 'Pass either --person or --project.')
    const database = await openPostgresDatabase({ url: neededOf(environment, 'DATABASE_URL'), connections: 1 })
    const at = systemClock.now()
    try {
      const proof =
        named === undefined
          ? await forgetProject(database, { project: project!, days, at })
          : await forgetPerson(database, {
              named,
              person: await personNamed(database, { named, organisation }),
              days,
              at,
            })
      return `${JSON.stringify(proof, undefined, 2)}\n`
    } finally {
      await database.close()
    }
  },
}

/** Deletes a project and returns the proof. Throws `not_found` if no table contains it. */
export async function forgetProject(
  database: SqlDatabase,
  { project, days, at }: { readonly project: string; readonly days: number; readonly at: Date },
): Promise<Readonly<Record<string, unknown>>> {
  const organisation = await organisationOf(database, project)
  const removed = await eraseProject(database, project)
  // Rows written by a running call during the deletion.
  const late = removed.length === 0 ? [] : await eraseProject(database, project)
  const { audit_log: audited = 0, ...left } = (await mentionsOf(database, { project })).project
  if (removed.length === 0 && Object.keys(left).length === 0)
    throw new AppError('not_found', `There is nothing of a project ${project}.`, {
      hint: 'No such id in any table. Use its exact id.',
    })
  const proof = {
    project,
    at: at.toISOString(),
    ken: VERSION,
    removed,
    ...(late.length > 0 && { removed_after: late }),
    kept: {
      audit_log: audited,
      why: 'Who did what, by ids and without a word of it, until retention deletes it.',
    },
    ...(Object.keys(left).length > 0 && { left: { ...left, why: 'Words of other projects that name its id.' } }),
    backups_hold_it_until: new Date(at.getTime() + days * DAY_MS).toISOString(),
  }
  if (removed.length > 0)
    await auditServer(openAuditLog(database), { now: () => at }, { operation: 'forget_project', organisation, project })
  return { ...proof, sha256: createHash('sha256').update(JSON.stringify(proof)).digest('hex') }
}

async function organisationOf(database: SqlDatabase, project: string): Promise<string> {
  const [row] = await database.transaction('server', (sql) =>
    sql.query<{ organisation: string }>('SELECT organisation FROM ken.projects WHERE id = $1', [project]),
  )
  return row?.organisation ?? ''
}
