import type { SharedKind, Shares } from '../../../analyst/ports/shares.ts'
import { chatOf } from '../chat-rows.ts'
import { noChat, noStory } from '../missing.ts'
import { storyOf } from '../story-rows.ts'
import { CHAT_NEWS } from './chat-news.ts'
import { chatsOfWords } from './chat-search.ts'
import { CHAT } from './chats.ts'
import { asList, OWN, type ScopedRows } from './scoped-rows.ts'
import { STORY } from './stories.ts'

const TABLES = {
  chat: { rows: 'ken.chats', readers: 'ken.chat_readers', of: 'chat', missing: noChat },
  story: { rows: 'ken.stories', readers: 'ken.story_readers', of: 'story', missing: noStory },
} as const satisfies Record<SharedKind, object>

/** Row-level security includes rows that others share; this limits the result to those. */
const THEIRS = "visibility <> 'private' AND person <> coalesce(current_setting('ken.person', true), '')"

export function sharesIn(rows: ScopedRows): Shares {
  return {
    async audience(kind, id) {
      const { rows: table, readers, of, missing } = TABLES[kind]
      const [row] = await rows.ask(
        `SELECT visibility, ARRAY (SELECT reader FROM ${readers} AS r WHERE r.${of} = t.id AND r.project = t.project
           AND r.person = t.person ORDER BY reader) AS readers FROM ${table} AS t WHERE id = $1 AND ${OWN}`,
        id,
      )
      if (row === undefined) throw missing(id)
      return row as unknown as Awaited<ReturnType<Shares['audience']>>
    },
    share: (kind, id, { visibility, readers: named }, commentsSince) =>
      rows.within(async (ask) => {
        const { rows: table, readers, of, missing } = TABLES[kind]
        const [row] = await ask(
          `UPDATE ${table} SET visibility = $2 WHERE id = $1 AND ${OWN} RETURNING project, person`,
          id,
          visibility,
        )
        if (row === undefined) throw missing(id)
        if (kind === 'story' && (visibility === 'private' || commentsSince !== undefined))
          await ask(
            `UPDATE ken.stories SET comments_since = $2 WHERE id = $1 AND ${OWN}`,
            id,
            visibility === 'private' ? null : (commentsSince ?? null),
          )
        // Followers check again whether they still have access.
        if (kind === 'chat') await ask('SELECT pg_notify($1, $2)', CHAT_NEWS, id)
        const whose = [id, String(row['project']), String(row['person'])]
        await ask(`DELETE FROM ${readers} WHERE ${of} = $1 AND project = $2 AND person = $3`, ...whose)
        if (visibility === 'named' && named.length > 0)
          await ask(
            `INSERT INTO ${readers} (${of}, project, person, reader)
             SELECT $1::text, $2::text, $3::text, reader FROM jsonb_array_elements_text($4::text::jsonb) AS reader
             ON CONFLICT DO NOTHING`,
            ...whose,
            asList(named),
          )
      }),
    async chat(id) {
      const [row] = await rows.ask(`SELECT ${CHAT} FROM ken.chats AS chat WHERE id = $1 AND ${THEIRS} LIMIT 1`, id)
      return row && chatOf(row)
    },
    chats: ({ text, prefix, before, limit }) =>
      rows.within(async (ask) => {
        const found = text === undefined ? null : asList(await chatsOfWords(ask, undefined, text))
        const listed = await ask(
          `SELECT ${CHAT} FROM ken.chats AS chat WHERE ${THEIRS} AND ($1::text IS NULL OR starts_with(id, $1))
           AND ($2::timestamptz IS NULL OR updated_at < $2) AND ($3::text IS NULL OR id IN (
             SELECT jsonb_array_elements_text($3::text::jsonb)))
           ORDER BY updated_at DESC, place DESC LIMIT $4`,
          prefix ?? null,
          before ?? null,
          found,
          limit,
        )
        return listed.map(chatOf)
      }),
    async story(named) {
      const [row] = await rows.ask(
        `${STORY} WHERE (id = $1 OR slug = $1) AND ${THEIRS} ORDER BY (id = $1) DESC, place LIMIT 1`,
        named,
      )
      return row && storyOf(row)
    },
    stories: async () =>
      (await rows.ask(`${STORY} WHERE ${THEIRS} ORDER BY updated_at DESC, place DESC LIMIT $1`, MOST_STORIES)).map(
        storyOf,
      ),
  }
}

const MOST_STORIES = 500
