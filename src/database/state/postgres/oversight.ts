import type { Oversight, SharedThing, UsageOfDay } from '../../../analyst/ports/oversight.ts'
import type { SqlDatabase } from '../../../kernel/ports/sql-database.ts'
import { chatOf } from '../chat-rows.ts'
import { chatLogIn } from './chat-log.ts'
import { CHAT_NEWS } from './chat-news.ts'
import { CHAT } from './chats.ts'
import { openRows } from './scoped-rows.ts'

/** A project's data for its supervisors; `person` is the caller. */
export function openPostgresOversight(
  database: SqlDatabase,
  { project, person }: { readonly project: string; readonly person: string },
): Oversight {
  // Enables the policy `replayed_rows` in this transaction.
  const replayed = openRows(database, { project, person }, `SELECT set_config('ken.replay', 'on', true)`)
  const own = openRows(database, { project, person })
  const server = openRows(database, 'server')
  const { messages, parts } = chatLogIn(replayed)
  return {
    async replay() {
      const [row] = await own.ask(
        'SELECT replay, changed_by, changed_at FROM ken.analyst_rules WHERE project = $1',
        project,
      )
      if (row === undefined) return { on: false }
      return { on: row['replay'] === true, changed: { by: String(row['changed_by']), at: String(row['changed_at']) } }
    },
    async setReplay(on, { by, at }) {
      await own.ask(
        `INSERT INTO ken.analyst_rules (project, replay, changed_by, changed_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (project) DO UPDATE SET replay = excluded.replay, changed_by = excluded.changed_by,
           changed_at = excluded.changed_at`,
        project,
        on,
        by,
        at,
      )
    },
    chats: async ({ user, before, limit }) =>
      (
        await replayed.ask(
          `SELECT ${CHAT} FROM ken.chats AS chat WHERE ${REPLAYED} AND ($2::text IS NULL OR person = $2)
           AND ($3::timestamptz IS NULL OR updated_at < $3) ORDER BY updated_at DESC, place DESC LIMIT $4`,
          project,
          user ?? null,
          before ?? null,
          limit,
        )
      ).map(chatOf),
    async chat(id) {
      const [row] = await replayed.ask(
        `SELECT ${CHAT} FROM ken.chats AS chat WHERE ${REPLAYED} AND id = $2`,
        project,
        id,
      )
      return row && chatOf(row)
    },
    log: { messages, parts },
    shared: async (limit) =>
      (await server.ask(SHARED, project, limit)).map(({ title, ...row }) => ({
        ...row,
        ...(row['visibility'] === 'project' && { title }),
      })) as unknown as readonly SharedThing[],
    async unshare(kind, id) {
      const [rows, readers, of, more] =
        kind === 'chat'
          ? ['chats', 'chat_readers', 'chat', '']
          : ['stories', 'story_readers', 'story', ', comments_since = NULL']
      const taken = await server.ask(
        `WITH taken AS (UPDATE ken.${rows} SET visibility = 'private'${more} WHERE id = $1 AND project = $2
           AND visibility <> 'private' RETURNING id, project, person),
         unnamed AS (DELETE FROM ken.${readers} AS r USING taken WHERE r.${of} = taken.id
           AND r.project = taken.project AND r.person = taken.person)
         SELECT CASE WHEN $3 = 'chat' THEN pg_notify('${CHAT_NEWS}', id) END FROM taken`,
        id,
        project,
        kind,
      )
      return taken.length > 0
    },
    removeComment: async (id) =>
      (await server.ask('DELETE FROM ken.story_comments WHERE id = $1 AND project = $2 RETURNING 1', id, project))
        .length > 0,
    usage: async (since) => (await server.ask(USAGE, project, since)) as unknown as readonly UsageOfDay[],
  }
}

/** Matches no chat while the project's replay rule is off. */
const REPLAYED = `project = $1 AND deleted_at IS NULL
  AND EXISTS (SELECT FROM ken.analyst_rules AS r WHERE r.project = $1 AND r.replay)`

const SHARED = `SELECT * FROM (
    SELECT 'chat' AS of, id, person AS owner, visibility, title, updated_at AS "updatedAt",
      (SELECT count(*)::int FROM ken.chat_readers AS r WHERE r.chat = t.id AND r.project = t.project
        AND r.person = t.person) AS named
    FROM ken.chats AS t WHERE project = $1 AND visibility <> 'private' AND deleted_at IS NULL
    UNION ALL
    SELECT 'story', id, person, visibility, title, updated_at,
      (SELECT count(*)::int FROM ken.story_readers AS r WHERE r.story = t.id AND r.project = t.project
        AND r.person = t.person)
    FROM ken.stories AS t WHERE project = $1 AND visibility <> 'private' AND archived_at IS NULL) AS shared
  ORDER BY "updatedAt" DESC, id LIMIT $2`

const USAGE = `SELECT person, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, model,
    count(DISTINCT message) FILTER (WHERE purpose = 'answer')::int AS questions, count(*)::int AS calls,
    count(*) FILTER (WHERE failed)::int AS failed, sum(input)::float8 AS input, sum(output)::float8 AS output,
    coalesce(sum(cost), 0)::float8 AS cost, count(*) FILTER (WHERE cost IS NULL)::int AS "withoutPrice"
  FROM ken.model_calls WHERE project = $1 AND at >= $2 GROUP BY 1, 2, 3 ORDER BY 2, 1, 3`
