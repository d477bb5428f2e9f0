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
import { webhooks } from './016-webhooks.ts'
import { storyComments } from './017-story-comments.ts'
import { reach } from './018-reach.ts'

export interface Migration {
  readonly number: number
  readonly name: string
  /**
   * Minimum migration number a server must know to keep working with these tables. A migration that removes something
   * or changes its meaning sets the number of the version that no longer needs it; undefined if it only adds.
   */
  readonly oldest?: number
  /** One by one. Never changed once released: a change is a new migration. */
  statements(database: Pick<SqlDatabase, 'hasVectors'>): readonly string[]
}

/** In order; a new migration is one file and one line here. */
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
  webhooks,
  storyComments,
  reach,
].map((statements, at) => ({ number: at + 1, ...statements }))
