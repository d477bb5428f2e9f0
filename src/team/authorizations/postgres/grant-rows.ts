import type { SqlSession } from '../../../kernel/ports/sql-database.ts'
import type { Scope, Grant } from '../../domain/oauth/scopes.ts'

export interface GrantRow {
  readonly id: string
  readonly person: string
  readonly client: string
  readonly client_name: string
  readonly resource: string
  readonly scopes: readonly Scope[]
  readonly projects: readonly string[]
  readonly is_lasting: boolean
  readonly created_at: string
  readonly ends_at: string
}

/** Columns of a grant with the alias `g`. */
export const GRANT_COLUMNS =
  'g.id, g.person, g.client, g.client_name, g.resource, g.scopes, g.projects, g.is_lasting, g.created_at, g.ends_at'

export const grantOf = (row: GrantRow): Grant => ({
  id: row.id,
  person: row.person,
  client: row.client,
  clientName: row.client_name,
  resource: row.resource,
  scopes: row.scopes,
  projects: row.projects,
  isLasting: row.is_lasting,
  createdAt: new Date(row.created_at),
  endsAt: new Date(row.ends_at),
})

export const addGrant = (sql: SqlSession, grant: Grant): Promise<unknown> =>
  sql.query(
    `INSERT INTO ken.oauth_grants (id, person, client, client_name, resource, scopes, projects, is_lasting, created_at, ends_at)
     VALUES ($1, $2, $3, $4, $5, $6::text::jsonb, $7::text::jsonb, $8, $9, $10)`,
    [
      grant.id,
      grant.person,
      grant.client,
      grant.clientName,
      grant.resource,
      JSON.stringify(grant.scopes),
      JSON.stringify(grant.projects),
      grant.isLasting,
      grant.createdAt.toISOString(),
      grant.endsAt.toISOString(),
    ],
  )
