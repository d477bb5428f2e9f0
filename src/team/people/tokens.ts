import { AppError } from '../../kernel/domain/errors.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { SeenProject } from '../domain/person.ts'
import type { Role } from '../domain/role.ts'
import type { Token, TokenHolder } from '../domain/token.ts'
import { MOST_TOKENS, type Tokens } from '../ports/tokens.ts'
import { seenIn, seenJson, type SeenCell } from './team-projects.ts'

type Row = { [K in keyof Token]: undefined extends Token[K] ? Exclude<Token[K], undefined> | null : Token[K] }
type HolderRow = Omit<TokenHolder, 'projects' | 'seen'> & {
  readonly projects: readonly string[] | null
  /** Null if `reach` is the one that was sent. */
  readonly seen: readonly SeenCell[] | null
  readonly reach: string
  readonly isNoted: boolean
}

const COLUMNS = `id, person, kind, name, scopes, projects, created_at AS "createdAt", expires_at AS "expiresAt",
  used_at AS "usedAt", revoked_at AS "revokedAt"`

/** Number of the named projects that the person may know of. */
const REACHED = `SELECT count(*) AS reached FROM ken.people p JOIN ken.projects j ON j.organisation = p.organisation
  LEFT JOIN ken.members m ON m.project = j.id AND m.person = p.id
  WHERE p.id = $1 AND j.archived_at IS NULL AND (p.role = 'admin' OR m.role IS NOT NULL OR j.access = 'organisation')
  AND j.id IN (SELECT jsonb_array_elements_text($2::text::jsonb))`

export function openTokens(database: SqlDatabase): Tokens {
  const recent = openRecentlySeen()
  return {
    add: (token, hash) =>
      database.transaction('server', async (sql) => {
        // Locked, so that a person who leaves meanwhile gets no token, and concurrent calls do not exceed the limit.
        const there = await sql.query('SELECT 1 FROM ken.people WHERE id = $1 AND left_at IS NULL FOR UPDATE', [
          token.person,
        ])
        if (there.length === 0) throw new AppError('not_found', 'Person not found.')
        const projects = token.projects === undefined ? null : JSON.stringify([...new Set(token.projects)])
        if (projects !== null) {
          const [row] = await sql.query<{ reached: number }>(REACHED, [token.person, projects])
          if (row!.reached !== new Set(token.projects).size) throw new AppError('not_found', 'Project not found.')
        }
        const [row] = await sql.query<{ held: number }>(
          'SELECT count(*) AS held FROM ken.tokens WHERE person = $1 AND revoked_at IS NULL AND expires_at > $2',
          [token.person, token.createdAt],
        )
        if (row!.held >= MOST_TOKENS)
          throw new AppError('conflict', `A person has at most ${MOST_TOKENS} tokens.`, {
            hint: 'Revoke some that are not used.',
          })
        await sql.query(
          `INSERT INTO ken.tokens (id, person, kind, name, hash, scopes, projects, created_at, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6::text::jsonb, $7::text::jsonb, $8, $9)`,
          [
            token.id,
            token.person,
            token.kind,
            token.name,
            hash,
            JSON.stringify(token.scopes),
            projects,
            token.createdAt,
            token.expiresAt,
          ],
        )
      }),
    async use(hash, now) {
      const known = recent.of(hash)
      const [found] = await database.transaction(
        'server',
        (sql) =>
          sql.query<HolderRow>(
            `SELECT t.id, t.person, t.kind, t.scopes, t.projects, p.organisation, p.role, o.reach,
               CASE WHEN o.reach = $3 THEN NULL ELSE ${seenJson('t.person')} END AS seen,
               coalesce(t.used_at > $2::timestamptz - interval '1 minute', false) AS "isNoted"
             FROM ken.tokens t JOIN ken.people p ON p.id = t.person JOIN ken.organisations o ON o.id = p.organisation
             WHERE t.hash = $1 AND t.revoked_at IS NULL AND t.expires_at > $2 AND p.left_at IS NULL`,
            [hash, now, known?.reach ?? null],
          ),
        { readOnly: true },
      )
      if (found === undefined) {
        recent.drop(hash)
        return undefined
      }
      const { isNoted, reach, seen: cells, ...holder } = found
      if (!isNoted) await noteUse(database, holder.id, now)
      const isSame = cells === null && known?.role === holder.role
      const seen = isSame ? known.seen : seenIn(holder, cells ?? known!.cells)
      recent.keep(hash, { reach, role: holder.role, cells: cells ?? known!.cells, seen })
      return { ...holder, projects: holder.projects ?? undefined, seen }
    },
    async list(person) {
      const rows = await database.transaction('server', (sql) =>
        sql.query<Row>(`SELECT ${COLUMNS} FROM ken.tokens WHERE person = $1 ORDER BY created_at DESC, id DESC`, [
          person,
        ]),
      )
      return rows.map((row) => ({
        ...row,
        projects: row.projects ?? undefined,
        usedAt: row.usedAt ?? undefined,
        revokedAt: row.revokedAt ?? undefined,
      }))
    },
    async revoke(person, ids, at) {
      await database.transaction('server', (sql) =>
        sql.query(
          `UPDATE ken.tokens SET revoked_at = $3 WHERE person = $1 AND revoked_at IS NULL
           AND id IN (SELECT jsonb_array_elements_text($2::text::jsonb))`,
          [person, JSON.stringify(ids), at],
        ),
      )
    },
  }
}

/** If the database becomes unavailable, the call does not fail; the next use is recorded instead. */
async function noteUse(database: SqlDatabase, id: string, now: string): Promise<void> {
  const text = 'UPDATE ken.tokens SET used_at = $2 WHERE id = $1 AND (used_at IS NULL OR used_at < $2)'
  const noted = database.batch('server', [{ text, values: [id, now] }])
  await noted.catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'unavailable')) throw error
  })
}

interface RecentlySeen {
  readonly reach: string
  readonly role: Role
  readonly cells: readonly SeenCell[]
  readonly seen: readonly SeenProject[]
}

// In all, some twenty megabytes.
const MOST_SEEN = 50_000

/** The projects of the tokens that were used last, by the hash of each; the oldest are dropped first. */
function openRecentlySeen() {
  const recent = new Map<string, RecentlySeen>()
  let size = 0
  const drop = (hash: string): void => {
    size -= weightOf(recent.get(hash))
    recent.delete(hash)
  }
  return {
    of: (hash: string): RecentlySeen | undefined => recent.get(hash),
    drop,
    keep(hash: string, seen: RecentlySeen): void {
      drop(hash)
      recent.set(hash, seen)
      size += weightOf(seen)
      for (const oldest of recent.keys()) {
        if (size <= MOST_SEEN) return
        drop(oldest)
      }
    },
  }
}

const weightOf = (one: RecentlySeen | undefined): number => (one === undefined ? 0 : one.cells.length + 1)
