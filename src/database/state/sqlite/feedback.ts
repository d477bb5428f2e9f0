import { keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import { WITHDRAWN, type Draft } from '../../../analyst/domain/feedback/feedback.ts'
import type { FeedbackBox } from '../../../analyst/ports/feedback.ts'
import { draftOf, voteOf } from '../feedback-rows.ts'
import { json } from '../given.ts'
import { noDraft, settledAlready, taken } from '../missing.ts'
import type { Tables } from './tables.ts'

export function feedbackIn(tables: Tables): FeedbackBox {
  function add(drafts: readonly Draft[]): void {
    for (const draft of drafts) if (insert(tables, draft) === 0) throw taken('draft', draft.id)
  }
  function waiting(id: string): void {
    const row = tables.one('SELECT * FROM draft WHERE id = ?', id)
    if (row === undefined) throw noDraft(id)
    const { settled } = draftOf(row)
    if (settled !== undefined) throw settledAlready(id, settled.how)
  }
  return {
    give: ({ message, chat, user, vote, reason, at }, drafts) =>
      tables.write(() => {
        tables.run('DELETE FROM feedback WHERE message = ?', message)
        if (vote !== 'none')
          tables.run(
            'INSERT INTO feedback (message, chat, user, vote, reason, at) VALUES (?, ?, ?, ?, ?, ?)',
            message,
            chat,
            user,
            vote,
            keptText(reason),
            at,
          )
        tables.run(
          `UPDATE draft SET settled = ? WHERE settled IS NULL AND user = ? AND json_extract(source, '$.message') = ?`,
          JSON.stringify({ how: 'dismissed', at, where: WITHDRAWN }),
          user,
          message,
        )
        add(drafts)
      }),
    votes: async ({ chat, message, user, limit }) =>
      tables
        .all(
          `SELECT * FROM feedback WHERE (?1 IS NULL OR chat = ?1) AND (?2 IS NULL OR message = ?2)
           AND (?3 IS NULL OR user = ?3) ORDER BY at DESC, place DESC LIMIT ?4`,
          chat ?? null,
          message ?? null,
          user ?? null,
          limit,
        )
        .map(voteOf),
    draft: (drafts) => tables.write(() => add(drafts)),
    async find(id, user) {
      const row = tables.one('SELECT * FROM draft WHERE id = ? AND user = ?', id, user)
      return row && draftOf(row)
    },
    inbox: async ({ user, project, kind, settled = false }) =>
      tables
        .all(
          `SELECT * FROM draft WHERE user = ?1 AND (?2 IS NULL OR project = ?2) AND (?3 IS NULL OR kind = ?3)
           AND (settled IS NOT NULL) = ?4 ORDER BY at DESC, place DESC`,
          user,
          project ?? null,
          kind ?? null,
          Number(settled),
        )
        .map(draftOf),
    settle: (id, settled) =>
      tables.write(() => {
        waiting(id)
        tables.run('UPDATE draft SET settled = ? WHERE id = ?', JSON.stringify(settled), id)
      }),
    edit: (id, { title, body }) =>
      tables.write(() => {
        waiting(id)
        tables.run('UPDATE draft SET title = ?, body = ? WHERE id = ?', keptText(title), keptText(body), id)
      }),
    reopen: (id) =>
      tables.write(() => {
        if (tables.run('UPDATE draft SET settled = NULL WHERE id = ?', id) === 0) throw noDraft(id)
      }),
  }
}

const insert = (tables: Tables, draft: Draft): number =>
  tables.run(
    `INSERT INTO draft (id, user, project, folder, kind, title, body, source, siblings, at, settled)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    draft.id,
    draft.user,
    draft.project,
    draft.folder,
    draft.kind,
    keptText(draft.title),
    keptText(draft.body),
    JSON.stringify(draft.from),
    JSON.stringify(draft.siblings),
    draft.at,
    json(draft.settled),
  )
