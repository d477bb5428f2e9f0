import type { SqlDatabase, SqlValue } from '../../kernel/ports/sql-database.ts'
import type { AskProgress, ChannelAsks, TakenAsk } from '../ports/channel-asks.ts'

/** One row of a project per message; the message key keeps two replicas from answering it. */
export function openChannelAsks(database: SqlDatabase): ChannelAsks {
  const ask = <Row extends object>(project: string, text: string, ...values: SqlValue[]) =>
    database.transaction({ project }, (sql) => sql.query<Row>(text, [project, ...values]))
  return {
    async take(project, { id, team, channel, thread, user, words, isMention, isReply }, at) {
      // One statement, so that two concurrent replicas get the same result.
      const found = await ask(project, TAKE, id, team, channel, thread, user, words, isMention, isReply, at)
      return found.length > 0
    },
    async find(project, id) {
      const [row] = await ask<AskRow>(project, FIND, id)
      return row && askOf(row)
    },
    async note(project, id, progress) {
      const entries = Object.entries(progress) as [keyof AskProgress, AskProgress[keyof AskProgress]][]
      if (entries.length === 0) return
      const sets = entries.map(([name], at) => `${COLUMNS[name]} = $${at + 3}`)
      const values = entries.map(([, value]) => (typeof value === 'object' ? JSON.stringify(value) : (value ?? null)))
      await ask(project, `UPDATE ken.channel_asks SET ${sets.join(', ')} WHERE project = $1 AND id = $2`, id, ...values)
    },
    async finish(project, id, at) {
      await database.transaction({ project }, async (sql) => {
        await sql.query(FINISH, [project, id, at])
        await sql.query(FORGET, [project, at])
      })
    },
    async chatOf(project, { channel, thread }, person) {
      const [row] = await ask<{ chat: string }>(project, CHAT_OF, channel, thread, person)
      return row?.chat
    },
  }
}

const COLUMNS: Readonly<Record<keyof AskProgress, string>> = {
  isPosting: 'is_posting',
  posted: 'posted',
  person: 'person',
  chat: 'chat',
  answer: 'answer',
  isStopped: 'is_stopped',
  files: 'files',
}

const TAKE = `
  WITH put AS (
    INSERT INTO ken.channel_asks
      (project, id, team, channel, thread, asker, words, is_mention, is_reply, asked_at)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10::timestamptz
    WHERE $8::boolean OR EXISTS (
      SELECT FROM ken.channel_asks
      WHERE project = $1 AND channel = $4 AND thread = $5 AND asker = $6 AND person IS NOT NULL)
    ON CONFLICT DO NOTHING RETURNING id
  )
  SELECT id FROM put
  UNION ALL SELECT id FROM ken.channel_asks WHERE project = $1 AND id = $2 AND done_at IS NULL`

const FIND = `
  SELECT id, team, channel, thread, asker, words, is_mention, is_reply, is_posting, posted, person, chat, answer,
    is_stopped, files, done_at IS NOT NULL AS is_done
  FROM ken.channel_asks WHERE project = $1 AND id = $2`

const FINISH = `UPDATE ken.channel_asks SET done_at = $3::timestamptz, words = '' WHERE project = $1 AND id = $2`

const FORGET = `
  DELETE FROM ken.channel_asks WHERE project = $1 AND asked_at < $2::timestamptz - interval '30 days'`

const CHAT_OF = `
  SELECT chat FROM ken.channel_asks
  WHERE project = $1 AND channel = $2 AND thread = $3 AND person = $4 AND chat IS NOT NULL
  ORDER BY asked_at DESC, id DESC LIMIT 1`

interface AskRow extends Readonly<Record<'id' | 'team' | 'channel' | 'thread' | 'asker' | 'words' | 'files', string>> {
  readonly is_mention: boolean
  readonly is_reply: boolean
  readonly is_posting: boolean
  readonly is_stopped: boolean
  readonly is_done: boolean
  readonly posted: string | null
  readonly person: string | null
  readonly chat: string | null
  readonly answer: string | null
}

const askOf = (row: AskRow): TakenAsk => ({
  id: row.id,
  team: row.team,
  channel: row.channel,
  thread: row.thread,
  user: row.asker,
  words: row.words,
  isMention: row.is_mention,
  isReply: row.is_reply,
  isPosting: row.is_posting,
  posted: row.posted ?? undefined,
  person: row.person ?? undefined,
  chat: row.chat ?? undefined,
  answer: row.answer ?? undefined,
  isStopped: row.is_stopped,
  files: JSON.parse(row.files) as TakenAsk['files'],
  isDone: row.is_done,
})
