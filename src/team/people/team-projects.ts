import { AppError } from '../../kernel/domain/errors.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { SeenProject, TeamProject } from '../domain/person.ts'
import { roleInProject, type Access, type Role } from '../domain/role.ts'
import type { Member, TeamProjects } from '../ports/team-projects.ts'

type Seen = TeamProject & { readonly personRole: Role; readonly memberRole: Role | null }

const PROJECT = 'j.id, j.organisation, j.name, j.access, j.created_at AS "createdAt"'
const SEEN_BY = (person: string): string => `FROM ken.people p JOIN ken.projects j ON j.organisation = p.organisation
  LEFT JOIN ken.members m ON m.project = j.id AND m.person = p.id
  WHERE p.id = ${person} AND p.left_at IS NULL AND j.archived_at IS NULL`
const SEEN = `SELECT ${PROJECT}, p.role AS "personRole", m.role AS "memberRole" ${SEEN_BY('$1')}`

/** A project as a JSON list, which is much shorter than an object: people may see a thousand projects. */
export type SeenCell = readonly [id: string, name: string, access: Access, memberRole: Role | null]

/** A JSON list of cells, by name, for the person whose id is the expression. */
export const seenJson = (
  person: string,
): string => `(SELECT coalesce(json_agg(json_build_array(j.id, j.name, j.access, m.role) ORDER BY j.name, j.id), '[]')
  ${SEEN_BY(person)})`

/** The projects of an organisation that a person with this role in it may see. */
export const seenIn = (
  { organisation, role: personRole }: { readonly organisation: string; readonly role: Role },
  cells: readonly SeenCell[],
): readonly SeenProject[] =>
  cells.flatMap(([id, name, access, memberRole]) => {
    const role = roleInProject(personRole, access, memberRole ?? undefined)
    return role === undefined ? [] : [{ id, organisation, name, role }]
  })

export function openTeamProjects(database: SqlDatabase): TeamProjects {
  return {
    create: (project, creator) =>
      database.transaction('server', async (sql) => {
        const { id, organisation, name, access, createdAt } = project
        // Held until the end: a concurrent creator of the same name waits, and then finds this project.
        await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `ken project ${organisation} ${name.toLowerCase()}`,
        ])
        const there = await sql.query(
          'SELECT 1 FROM ken.people WHERE id = $1 AND organisation = $2 AND left_at IS NULL FOR SHARE',
          [creator, organisation],
        )
        if (there.length === 0) throw new AppError('not_found', 'Person not found.')
        const known = await sql.query<Seen>(`${SEEN} AND lower(j.name) = lower($2) ORDER BY j.created_at, j.id`, [
          creator,
          name,
        ])
        const [same] = known.flatMap(seenBy)
        if (same !== undefined && same.id !== id) {
          const { role: _role, ...found } = same
          return found
        }
        const made = await sql.query(
          `INSERT INTO ken.projects (id, organisation, name, access, created_at) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (id) DO NOTHING RETURNING id`,
          [id, organisation, name, access, createdAt],
        )
        if (made.length === 0) throw new AppError('conflict', 'A project with this id already exists.')
        await sql.query(`INSERT INTO ken.members (project, person, role) VALUES ($1, $2, 'admin')`, [id, creator])
        return project
      }),
    change: (organisation, id, { name, access, archivedAt }) =>
      database.transaction('server', async (sql) => {
        const [row] = await sql.query<TeamProject>(
          `UPDATE ken.projects j SET name = coalesce($3, name), access = coalesce($4, access),
             archived_at = CASE WHEN $5 THEN $6::timestamptz ELSE archived_at END
           WHERE organisation = $1 AND id = $2 RETURNING ${PROJECT}`,
          [organisation, id, name ?? null, access ?? null, archivedAt !== undefined, archivedAt ?? null],
        )
        if (row === undefined) throw new AppError('not_found', 'Project not found.')
        return row
      }),
    archived: (organisation) =>
      database.transaction('server', (sql) =>
        sql.query<TeamProject>(
          `SELECT ${PROJECT} FROM ken.projects j WHERE organisation = $1 AND archived_at IS NOT NULL ORDER BY name, id`,
          [organisation],
        ),
      ),
    async standing(person, project) {
      const [row] = await database.transaction(
        'server',
        (sql) => sql.query<Seen>(`${SEEN} AND j.id = $2`, [person, project]),
        { readOnly: true },
      )
      const role = row === undefined ? undefined : roleOf(row)
      return row === undefined || role === undefined ? undefined : { project, organisation: row.organisation, role }
    },
    async list(person) {
      const rows = await database.transaction(
        'server',
        (sql) => sql.query<Seen>(`${SEEN} ORDER BY j.name, j.id`, [person]),
        { readOnly: true },
      )
      return rows.flatMap(seenBy)
    },
    members: (project) =>
      database.transaction(
        'server',
        (sql) =>
          sql.query<Member>('SELECT person, role FROM ken.members WHERE project = $1 ORDER BY person', [project]),
        { readOnly: true },
      ),
    setMember: (project, person, role) =>
      database.transaction('server', async (sql) => {
        // Held until the end, so that a person who leaves at the same time gets no role.
        const both = await sql.query(
          `SELECT 1 FROM ken.people p JOIN ken.projects j ON j.organisation = p.organisation
           WHERE p.id = $1 AND j.id = $2 AND p.left_at IS NULL FOR SHARE OF p`,
          [person, project],
        )
        if (both.length === 0) throw new AppError('not_found', 'Person not found.')
        if (role === undefined)
          await sql.query('DELETE FROM ken.members WHERE project = $1 AND person = $2', [project, person])
        else
          await sql.query(
            `INSERT INTO ken.members (project, person, role) VALUES ($1, $2, $3)
             ON CONFLICT (project, person) DO UPDATE SET role = excluded.role`,
            [project, person, role],
          )
      }),
  }
}

function seenBy(row: Seen): readonly (TeamProject & { readonly role: Role })[] {
  const role = roleOf(row)
  const { personRole: _one, memberRole: _other, ...project } = row
  return role === undefined ? [] : [{ ...project, role }]
}

const roleOf = ({ personRole, access, memberRole }: Seen): Role | undefined =>
  roleInProject(personRole, access, memberRole ?? undefined)
