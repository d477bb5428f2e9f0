import type { Oversight } from '../../analyst/ports/oversight.ts'
import { openTurns, type ProcessTurns } from '../../analyst/running-turns.ts'
import { tidyChats } from '../../analyst/tidy-chats.ts'
import type { ContextProject } from '../../context/ports/context-project.ts'
import { openPostgresAnalystState } from '../../database/state/postgres/analyst-state.ts'
import { openPostgresChatNews } from '../../database/state/postgres/chat-news.ts'
import { openPostgresOversight } from '../../database/state/postgres/oversight.ts'
import type { Whose } from '../../database/state/postgres/scoped-rows.ts'
import { openPostgresTurnPost } from '../../database/state/postgres/turn-post.ts'
import type { EvaluationState } from '../../evaluation/ports/evaluation-state.ts'
import { openPostgresLeases } from '../../kernel/lease/postgres.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import type { SharedLeases } from '../../kernel/ports/shared-lease.ts'
import type { SqlDatabase } from '../../kernel/ports/sql-database.ts'
import type { TeamModels } from './team-models.ts'

/** The analyst of a team on one replica. */
export interface TeamAnalyst extends Omit<TeamModels, 'close'> {
  stateOf(whose: Whose): EvaluationState
  oversightOf(whose: { readonly project: string; readonly person: string }): Oversight
  readonly turns: ProcessTurns
  readonly leases: SharedLeases
  /** The active context of a project. Throws `not_found` if it has none. */
  contextOf(project: string): Promise<ContextProject>
  /** Ends answers left by a dead replica, and purges items deleted long ago. */
  tidy(): Promise<void>
  /** Stops this replica's turns; each is stored as stopped. */
  close(): Promise<void>
}

export async function openTeamAnalyst(
  database: SqlDatabase,
  { clock, models, contextOf }: { readonly clock: Clock; readonly models: TeamModels } & Pick<TeamAnalyst, 'contextOf'>,
): Promise<TeamAnalyst> {
  const newId = (): string => clock.ulid()
  const leases = openPostgresLeases(database, { newId })
  const [news, post] = await Promise.all([openPostgresChatNews(database), openPostgresTurnPost(database, { newId })])
  const turns = openTurns({ leases, news, post })
  const stateOf = (whose: Whose): EvaluationState => openPostgresAnalystState(database, whose)
  return {
    ...models,
    stateOf,
    oversightOf: (whose) => openPostgresOversight(database, whose),
    turns,
    leases,
    contextOf,
    tidy() {
      const everybody = stateOf('server')
      return tidyChats(
        everybody,
        clock,
        turns.of(async () => everybody),
      )
    },
    async close() {
      await turns.close()
      await Promise.allSettled([news.close(), post.close(), leases.close(), models.close()])
    },
  }
}
