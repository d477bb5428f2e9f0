import type { ModelCalls } from '../../../analyst/ports/model-calls.ts'
import { own, type StateTables } from './state-tables.ts'

export function modelCallsOn(shelf: StateTables): ModelCalls {
  return {
    async keep(call) {
      if (!shelf.calls.has(call.id)) shelf.calls.set(call.id, own(call))
    },
    list: async ({ chat, user, project, since }) =>
      own(
        [...shelf.calls.values()].filter(
          (call) =>
            (chat === undefined || call.chat === chat) &&
            (user === undefined || call.user === user) &&
            (project === undefined || call.project === project) &&
            (since === undefined || call.at >= since),
        ),
      ),
    spent: async ({ since, user, project }) =>
      [...shelf.calls.values()]
        .filter(
          (call) =>
            call.at >= since &&
            (user === undefined || call.user === user) &&
            (project === undefined || call.project === project),
        )
        .reduce((sum, { usage }) => sum + (usage.cost ?? 0), 0),
  }
}
