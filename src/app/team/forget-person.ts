import { createHash } from 'node:crypto'
import { erasePerson } from '../../database/erase-person.ts'
import type { Erased } from '../../database/erase-rows.ts'
import { mentionsOf, NOT_WALKED, type Mentions } from '../../database/mentions.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import { openPostgresIndex } from '../../memory/index/postgres/index.ts'
import { openAuditLog } from '../../team/adapters/postgres-audit-log.ts'
import { openRetention } from '../../team/adapters/postgres-retention.ts'
import type { Person } from '../../team/domain/person.ts'
import { VERSION } from '../version.ts'
import { auditServer } from './server-audit.ts'

const DAY_MS = 24 * 60 * 60_000

export interface ForgetPerson {
  /** Id or address as typed. */
  readonly named: string
  /** Undefined if there is no account: the proof then shows that nothing is left. */
  readonly person: Person | undefined
  /** Days for which backups are kept. */
  readonly days: number
  readonly at: Date
}

/**
 * Deletes a person's own data and returns the proof. Their contributions to the team stay, under an anonymous id.
 * Throws `conflict` if an organisation would have no admin.
 */
export async function forgetPerson(
  database: SqlDatabase,
  { named, person, days, at }: ForgetPerson,
): Promise<Readonly<Record<string, unknown>>> {
  // If the account is already gone, deletes leftovers of a crashed deletion.
  const isAddress = named.includes('@')
  const who = person ?? { id: isAddress ? '' : named, email: isAddress ? named.trim().toLowerCase() : '', name: '' }
  const gone = await remove(database, who)
  const organisation = person?.organisation ?? ''
  const isSomething = gone.removed.length + gone.documents_withdrawn.length > 0
  const { auditDays } = await openRetention(database).of(organisation)
  const proof = {
    // Id only: the proof must not retain the address or the name.
    person: person?.id ?? 'nobody has it',
    at: at.toISOString(),
    ken: VERSION,
    ...gone,
    left: told(await mentionsOf(database, { id: who.id, email: who.email, name: who.name })),
    walked: `every table but ${NOT_WALKED.join(', ')}, which have numbers of documents and go with them`,
    ...(isSomething && {
      audit_log_holds_the_id_until: after(at, auditDays),
      backups_hold_it_until: after(at, days),
      elsewhere: 'Machines of the team that have a copy of a record have its journal, with the id.',
    }),
  }
  if (isSomething)
    await auditServer(
      openAuditLog(database),
      { now: () => at },
      { operation: 'forget_person', organisation, subject: who.id },
    )
  return { ...proof, sha256: createHash('sha256').update(JSON.stringify(proof)).digest('hex') }
}

const after = (at: Date, days: number): string => new Date(at.getTime() + days * DAY_MS).toISOString()

interface Removed {
  readonly removed: readonly Erased[]
  /** Texts that the person shared with project memories, with their index entries. */
  readonly documents_withdrawn: readonly object[]
  /** The shares, and rows that a running call wrote during the deletion. */
  readonly removed_after: readonly Erased[]
}

async function remove(database: SqlDatabase, who: { readonly id: string; readonly email: string }): Promise<Removed> {
  // Access is deleted first: from here on, no request can act as the person.
  const removed = await erasePerson(database, who, { butDocuments: true })
  const withdrawn: object[] = []
  for (const project of await sharedIn(database, who.id)) {
    const index = openPostgresIndex({ database, project })
    withdrawn.push({ project, ...(await index.shared(who.id).withdraw(undefined)) })
  }
  const late = await erasePerson(database, who, { butDocuments: false })
  return { removed, documents_withdrawn: withdrawn, removed_after: late }
}

const sharedIn = async (database: SqlDatabase, person: string): Promise<readonly string[]> =>
  (
    await database.transaction('server', (sql) =>
      sql.query<{ project: string }>(
        `SELECT project FROM ken.shares WHERE person = $1 UNION SELECT project FROM ken.shared_texts WHERE person = $1
         ORDER BY 1`,
        [person],
      ),
    )
  ).map(({ project }) => project)

const WHY: Readonly<Record<string, string>> = {
  context_origins: 'Who set it, by an id that names nobody any more.',
  analyst_rules: 'Who said so, by an id that names nobody any more.',
  audit_log: 'Who did what, by an id that names nobody any more, until retention deletes it.',
  record_events: 'The journal of a record is chained by hashes; it has the id alone, which names nobody any more.',
  record_texts: 'What the team wrote. `redact` takes words out of a record and its past.',
  record_snapshots: 'What the team wrote. `redact` takes words out of a record and its past.',
  people: 'Somebody in another organisation has the same address or name.',
}
const OTHERS = 'Words that others wrote, or something else that is called so.'

/** Lists remaining occurrences of the id, the address or the name, and why they remain. */
const told = (walked: Readonly<Record<'id' | 'email' | 'name', Mentions>>): readonly object[] =>
  Object.entries(walked).flatMap(([what, tables]) =>
    Object.entries(tables).map(([table, rows]) => ({ what, table, rows, why: WHY[table] ?? OTHERS })),
  )
