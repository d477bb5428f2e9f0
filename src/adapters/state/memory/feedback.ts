import { keptText } from '../../../core/chat/kept-sizes.ts'
import type { Draft } from '../../../core/feedback/feedback.ts'
import type { FeedbackBox } from '../../../ports/feedback.ts'
import { noDraft, settledAlready, taken } from '../missing.ts'
import { newestFirst, own, type Shelf } from './shelf.ts'

export function feedbackOn(shelf: Shelf): FeedbackBox {
  function add(drafts: readonly Draft[]): void {
    const ids = new Set<string>()
    for (const { id } of drafts) {
      if (shelf.drafts.has(id) || ids.has(id)) throw taken('draft', id)
      ids.add(id)
    }
    for (const draft of drafts)
      shelf.drafts.set(draft.id, { ...own(draft), title: keptText(draft.title), body: keptText(draft.body) })
  }
  return {
    async give(feedback, drafts) {
      add(drafts)
      shelf.votes.delete(feedback.message)
      shelf.votes.set(feedback.message, { ...own(feedback), reason: keptText(feedback.reason) })
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
      const draft = shelf.drafts.get(id)
      if (draft === undefined) throw noDraft(id)
      if (draft.settled !== undefined) throw settledAlready(id, draft.settled.how)
      shelf.drafts.set(id, { ...draft, settled: own(settled) })
    },
  }
}
