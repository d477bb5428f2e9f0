import { WITHDRAWN, type Draft } from '../../../analyst/domain/feedback/feedback.ts'
import type { FeedbackBox } from '../../../analyst/ports/feedback.ts'
import { draftOf, voteOf } from '../feedback-rows.ts'
import { json, parsed } from '../given.ts'
import { noDraft, settledAlready, taken } from '../missing.ts'
import { asList, type Ask, type ScopedRows } from './scoped-rows.ts'

const DRAFT = `SELECT *, person AS "user", jsonb_strip_nulls(jsonb_build_object('message', message, 'chat', chat,
  'session', session))::text AS source FROM ken.drafts`
/** Project in which the feedback was given, or the project of its chat if the server stores it. */
const PROJECT = `coalesce(nullif(current_setting('ken.project', true), ''),
  (SELECT project FROM ken.chats WHERE id = $2 AND person = $3), '')`

export function feedbackIn(rows: ScopedRows): FeedbackBox {
  return {
    give: ({ message, chat, user, vote, reason, at }, drafts) =>
      rows.within(async (ask) => {
        await ask('DELETE FROM ken.feedback WHERE message = $1 AND person = $2', message, user)
        if (vote !== 'none')
          await ask(
            `INSERT INTO ken.feedback (message, chat, person, project, vote, reason, at)
             VALUES ($1, $2, $3, ${PROJECT}, $4, $5, $6)`,
            message,
            chat,
            user,
            vote,
            reason,
            at,
          )
        await ask(
          'UPDATE ken.drafts SET settled = $1 WHERE settled IS NULL AND person = $2 AND message = $3',
          JSON.stringify({ how: 'dismissed', at, where: WITHDRAWN }),
          user,
          message,
        )
        await add(ask, drafts)
      }),
    votes: async ({ chat, message, user, limit }) =>
      (
        await rows.ask(
          `SELECT *, person AS "user" FROM ken.feedback WHERE ($1::text IS NULL OR chat = $1)
           AND ($2::text IS NULL OR message = $2) AND ($3::text IS NULL OR person = $3)
           ORDER BY at DESC, place DESC LIMIT $4`,
          chat ?? null,
          message ?? null,
          user ?? null,
          limit,
        )
      ).map(voteOf),
    draft: (drafts) => rows.within((ask) => add(ask, drafts)),
    async find(id, user) {
      const [row] = await rows.ask(`${DRAFT} WHERE id = $1 AND person = $2`, id, user)
      return row && draftOf(row)
    },
    inbox: async ({ user, project, kind, settled = false }) =>
      (
        await rows.ask(
          `${DRAFT} WHERE person = $1 AND ($2::text IS NULL OR project = $2) AND ($3::text IS NULL OR kind = $3)
           AND (settled IS NOT NULL) = $4 ORDER BY at DESC, place DESC`,
          user,
          project ?? null,
          kind ?? null,
          settled,
        )
      ).map(draftOf),
    settle: (id, settled) =>
      rows.within(async (ask) => {
        await waiting(ask, id)
        await ask('UPDATE ken.drafts SET settled = $2 WHERE id = $1', id, JSON.stringify(settled))
      }),
    edit: (id, { title, body }) =>
      rows.within(async (ask) => {
        await waiting(ask, id)
        await ask('UPDATE ken.drafts SET title = $2, body = $3 WHERE id = $1', id, title, body)
      }),
    async reopen(id) {
      const [row] = await rows.ask('UPDATE ken.drafts SET settled = NULL WHERE id = $1 RETURNING 1', id)
      if (row === undefined) throw noDraft(id)
    },
  }
}

/** Locks the draft until the transaction ends, so that one of two callers that settle it gets an error. */
async function waiting(ask: Ask, id: string): Promise<void> {
  const [row] = await ask('SELECT settled FROM ken.drafts WHERE id = $1 FOR UPDATE', id)
  if (row === undefined) throw noDraft(id)
  if (row['settled'] !== null) throw settledAlready(id, parsed<NonNullable<Draft['settled']>>(row['settled']).how)
}

async function add(ask: Ask, drafts: readonly Draft[]): Promise<void> {
  if (drafts.length === 0) return
  const list = drafts.map(({ user, from, siblings, settled, ...draft }) => ({
    ...from,
    ...draft,
    person: user,
    siblings: JSON.stringify(siblings),
    settled: json(settled),
  }))
  const added = await ask(
    `INSERT INTO ken.drafts (id, person, project, folder, kind, title, body, message, chat, session, siblings, at, settled)
     SELECT id, person, project, folder, kind, title, body, message, chat, session, siblings, at, settled
     FROM jsonb_to_recordset($1::text::jsonb) AS draft(id text, person text, project text, folder text, kind text,
       title text, body text, message text, chat text, session text, siblings text, at timestamptz, settled text)
     ON CONFLICT DO NOTHING RETURNING id`,
    asList(list),
  )
  const isNew = new Set(added.map(({ id }) => id))
  // If two in a list have the same id, the second one already exists.
  const known = drafts.find(({ id }) => !isNew.delete(id))
  if (known !== undefined) throw taken('draft', known.id)
}
