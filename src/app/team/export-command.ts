import { randomBytes } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { z } from 'zod'
import { openPostgresDatabase } from '../../database/postgres/index.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import { syncDirectory } from '../../kernel/system/atomic-file.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { tarOf } from '../../surfaces/http/tar.ts'
import { openAuditLog } from '../../team/adapters/postgres-audit-log.ts'
import { openDataExport } from '../../team/data-export/index.ts'
import type { ExportedFile } from '../../team/ports/data-export.ts'
import { VERSION } from '../version.ts'
import { onlyWord, parsedFlags, neededOf, personNamed, type CareCommand } from './care-given.ts'
import { auditServer } from './server-audit.ts'

const flags = z.strictObject({
  project: z.string().min(1).optional(),
  person: z.string().min(1).max(254).optional(),
  organisation: z.string().optional(),
})

/** `ken server export`: all data of a person or a project, as an archive that is written atomically. */
export const exportCommand: CareCommand = {
  options: { project: { type: 'string' }, person: { type: 'string' }, organisation: { type: 'string' } },
  async run(given, environment) {
    const path = resolve(onlyWord(given, '`ken server export` needs the file to write, e.g. ada.tar.gz.'))
    const wanted = parsedFlags(flags, { ...given, words: [] })
    if ((wanted.project === undefined) === (wanted.person === undefined))
      throw new AppError('invalid_input', 'Pass either --person or --project.')
    const database = await openPostgresDatabase({ url: neededOf(environment, 'DATABASE_URL'), connections: 1 })
    try {
      const files = await exportTo(database, path, wanted)
      return `${files} files → ${path}\nKeep it as safe as the database: everything that was written is in it.\n`
    } finally {
      await database.close()
    }
  },
}

/** Writes the archive and returns its number of files. */
export async function exportTo(database: SqlDatabase, path: string, wanted: z.output<typeof flags>): Promise<number> {
  if (existsSync(path))
    throw new AppError('conflict', `${path} already exists`, {
      hint: 'Choose a file that does not exist yet.',
    })
  const { id, organisation, operation } = await meant(database, wanted)
  const exported = openDataExport(database, { clock: systemClock, version: VERSION })
  let count = 0
  async function* counted(): AsyncGenerator<ExportedFile> {
    for await (const file of operation === 'export_person' ? exported.person(id) : exported.project(id)) {
      count += 1
      yield file
    }
  }
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`)
  try {
    await pipeline(
      Readable.from(tarOf(counted(), { modified: systemClock.now() })),
      createGzip(),
      createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }),
    )
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  syncDirectory(dirname(path))
  await auditServer(openAuditLog(database), systemClock, {
    operation,
    effect: 'read',
    organisation,
    ...(operation === 'export_person' ? { subject: id } : { project: id }),
  })
  return count
}

async function meant(
  database: SqlDatabase,
  { project, person: named, organisation }: z.output<typeof flags>,
): Promise<{ id: string; organisation: string; operation: 'export_person' | 'export_project' }> {
  if (named !== undefined) {
    const person = await personNamed(database, { named, organisation })
    if (person === undefined) throw new AppError('not_found', `No person with the id or address ${named}.`)
    return { id: person.id, organisation: person.organisation, operation: 'export_person' }
  }
  const [found] = await database.transaction('server', (sql) =>
    sql.query<{ organisation: string }>('SELECT organisation FROM ken.projects WHERE id = $1', [project!]),
  )
  if (found === undefined) throw new AppError('not_found', `No project ${project}.`)
  return { id: project!, organisation: found.organisation, operation: 'export_project' }
}
