import type { ChatEvent } from '../../analyst/domain/chat/event.ts'
import type { ChatPart } from '../../analyst/domain/chat/part.ts'
import { answerText } from '../../analyst/domain/chat/turn-answer.ts'

export interface LivePost {
  hear(event: ChatEvent): void
  /** Stops updates and waits for pending ones, so that they do not overwrite what follows. */
  close(): Promise<void>
}

// Slack accepts about fifty changes a minute for a whole workspace.
const EVERY_MS = 1_500

/** Shows the progress of an answer at intervals. Ignores failures: the next update or the answer itself comes soon. */
export function openLivePost(show: (markdown: string) => Promise<void>, every = EVERY_MS): LivePost {
  const parts = new Map<string, ChatPart>()
  let shown = WORKING
  let underWay: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const showNow = async (): Promise<void> => {
    const markdown = soFar([...parts.values()])
    if (markdown !== shown) await show((shown = markdown)).catch(() => {})
    timer = undefined
    if (!isClosed && soFar([...parts.values()]) !== shown) later()
  }
  const later = (): void => {
    timer ??= setTimeout(() => void (underWay = showNow()), every)
  }
  return {
    hear(event) {
      if (event.type !== 'part' && event.type !== 'more') return
      const [place] = event.id.split('.')
      const before = parts.get(place!)
      if (event.type === 'part') parts.set(place!, event.part)
      else if (before !== undefined && 'text' in before)
        parts.set(place!, { ...before, text: before.text + event.text } as ChatPart)
      if (!isClosed) later()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await underWay
    },
  }
}

/** Its text so far, or its current step. */
function soFar(parts: readonly ChatPart[]): string {
  const last = parts.at(-1)
  if (last?.kind === 'approval') return '_Waits for your yes: open this chat in Ken._'
  const said = answerText(parts)
  if (said !== '') return `${said} …`
  const steps = parts.filter((part) => part.kind === 'call')
  return steps.length === 0 ? WORKING : `_Looking into it, step ${steps.length} …_`
}

export const WORKING = '_Looking into it …_'
