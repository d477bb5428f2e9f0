import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import { tenants } from './001-tenants.ts'
import { record } from './002-record.ts'
import { index } from './003-index.ts'
import { state } from './004-state.ts'
import { jobs } from './005-jobs.ts'
import { people } from './006-people.ts'
import { oauth } from './007-oauth.ts'
import { sharing } from './008-sharing.ts'
import { archivedProjects } from './009-archived-projects.ts'
import { audit } from './010-audit.ts'
import { contextGit } from './011-context-git.ts'
import { sharedAnswers } from './012-shared-answers.ts'
import { channels } from './013-channels.ts'
import { auditAndLaw } from './014-audit-and-law.ts'
import { nearVectors } from './015-near-vectors.ts'

export interface Migration {
  readonly number: number
  readonly name: string
  /**
   * The number that a server must know at least to go on with tables like this. A migration that takes away or gives
   * another meaning names that of the version that no longer needs it; undefined where it only adds.
   */
  readonly oldest?: number
  /** One by one. Never changed once a release had it: what is to be different is a migration of its own. */
  statements(database: Pick<SqlDatabase, 'hasVectors'>): readonly string[]
}

/** In their order; a new one is one file and one line here. */
export const MIGRATIONS: readonly Migration[] = [
  tenants,
  record,
  index,
  state,
  jobs,
  people,
  oauth,
  sharing,
  archivedProjects,
  audit,
  contextGit,
  sharedAnswers,
  channels,
  auditAndLaw,
  nearVectors,
].map((statements, at) => ({ number: at + 1, ...statements }))
