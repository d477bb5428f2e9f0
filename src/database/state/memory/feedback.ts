import { keptText } from '../../../analyst/domain/chat/kept-sizes.ts'
import { WITHDRAWN, type Draft } from '../../../analyst/domain/feedback/feedback.ts'
import type { FeedbackBox } from '../../../analyst/ports/feedback.ts'
import { noDraft, settledAlready, taken } from '../missing.ts'
import { newestFirst, own, type StateTables } from './state-tables.ts'

export function feedbackOn(shelf: StateTables): FeedbackBox {
  function checkNew(drafts: readonly Draft[]): void {
    const ids = new Set<string>()
    for (const { id } of drafts) {
      if (shelf.drafts.has(id) || ids.has(id)) throw taken('draft', id)
      ids.add(id)
    }
  }
  function waiting(id: string): Draft {
    const draft = shelf.drafts.get(id)
    if (draft === undefined) throw noDraft(id)
    if (draft.settled !== undefined) throw settledAlready(id, draft.settled.how)
    return draft
  }
  function add(drafts: readonly Draft[]): void {
    checkNew(drafts)
    for (const draft of drafts)
      shelf.drafts.set(draft.id, { ...own(draft), title: keptText(draft.title), body: keptText(draft.body) })
  }
  return {
    async give(feedback, drafts) {
      checkNew(drafts)
      for (const draft of shelf.drafts.values())
        if (draft.settled === undefined && draft.user === feedback.user && draft.from.message === feedback.message)
          shelf.drafts.set(draft.id, { ...draft, settled: { how: 'dismissed', at: feedback.at, where: WITHDRAWN } })
      add(drafts)
      shelf.votes.delete(feedback.message)
      const { vote } = feedback
      if (vote !== 'none')
        shelf.votes.set(feedback.message, { ...own(feedback), vote, reason: keptText(feedback.reason) })
    },
    votes: async ({ chat, message, user, limit }) =>
      own(
        newestFirst(shelf.votes.values(), (vote) => vote.at)
          .filter(
            (vote) =>
              (chat === undefined || vote.chat === chat) &&
              (message === undefined || vote.message === message) &&
              (user === undefined || vote.user === user),
          )
          .slice(0, limit),
      ),
    async draft(drafts) {
      add(drafts)
    },
    async find(id, user) {
      const draft = shelf.drafts.get(id)
      return draft?.user === user ? own(draft) : undefined
    },
    inbox: async ({ user, project, kind, settled = false }) =>
      own(
        newestFirst(shelf.drafts.values(), (draft) => draft.at).filter(
          (draft) =>
            draft.user === user &&
            (project === undefined || draft.project === project) &&
            (kind === undefined || draft.kind === kind) &&
            (draft.settled !== undefined) === settled,
        ),
      ),
    async settle(id, settled) {
      shelf.drafts.set(id, { ...waiting(id), settled: own(settled) })
    },
    async edit(id, { title, body }) {
      shelf.drafts.set(id, { ...waiting(id), title: keptText(title), body: keptText(body) })
    },
    async reopen(id) {
      const draft = shelf.drafts.get(id)
      if (draft === undefined) throw noDraft(id)
      const { settled: _gone, ...open } = draft
      shelf.drafts.set(id, open)
    },
  }
}
