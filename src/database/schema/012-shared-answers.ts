import { OWN_PROJECT, ownRows } from '../own-rows.ts'

/**
 * The part of a chat or story that readers see: its current state, without anything its owner withdrew. And, if a
 * project allows it, chats for replay: the database itself checks that for every caller.
 */
export const sharedAnswers = {
  name: 'shared answers',
  statements: (): readonly string[] => [
    // The chat that this one continues, as JSON.
    'ALTER TABLE ken.chats ADD COLUMN origin text',
    ...readBy('chat_messages', `NOT superseded AND ${within('chats', 'chat_messages', 'chat')}`),
    ...readBy(
      'chat_queries',
      `EXISTS (SELECT FROM ken.chat_messages AS p WHERE p.id = chat_queries.message AND p.chat = chat_queries.chat
         AND p.project = chat_queries.project AND p.person = chat_queries.person)`,
    ),
    ...readBy(
      'story_versions',
      within('stories', 'story_versions', 'story', 'AND p.versions = story_versions.version'),
    ),
    `CREATE POLICY shared_rows ON ken.chat_words FOR SELECT USING (
       project = ${OWN_PROJECT} AND ${within('chats', 'chat_words', 'chat')})`,
    `CREATE TABLE ken.analyst_rules (
       project text PRIMARY KEY, replay boolean NOT NULL, changed_by text NOT NULL, changed_at timestamptz NOT NULL)`,
    ...ownRows('analyst_rules'),
    `CREATE POLICY replayed_rows ON ken.chats FOR SELECT USING (
       project = ${OWN_PROJECT} AND deleted_at IS NULL AND current_setting('ken.replay', true) = 'on'
       AND EXISTS (SELECT FROM ken.analyst_rules AS r WHERE r.project = chats.project AND r.replay))`,
  ],
}

/** Rows with a parent visible to the caller: its own policies apply inside the subquery. */
const within = (parent: string, table: string, of: string, and = ''): string =>
  `EXISTS (SELECT FROM ken.${parent} AS p WHERE p.id = ${table}.${of} AND p.project = ${table}.project
     AND p.person = ${table}.person ${and})`

const readBy = (table: string, which: string): readonly string[] => [
  `DROP POLICY shared_rows ON ken.${table}`,
  `CREATE POLICY shared_rows ON ken.${table} FOR SELECT USING (project = ${OWN_PROJECT} AND ${which})`,
]
