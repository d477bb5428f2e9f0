import type { ChatPart } from '../../analyst/domain/chat/part.ts'
import { isSameKind, stepDoing, stepsDone, type Step } from '../../analyst/domain/chat/step-words.ts'
import { visible } from '../../kernel/domain/trust/visible.ts'
import type { View } from '../../kernel/domain/view/view.ts'
import type { LiveLine } from './live-line.ts'

export interface AskSteps {
  call(part: Extract<ChatPart, { kind: 'call' }>): void
  result(part: Extract<ChatPart, { kind: 'result' }>): void
  /** Prints the finished steps not printed yet, in one dim line. */
  fold(): void
}

/** The steps of a turn: the current step on the live line, finished steps of one kind folded into a line. */
export function openAskSteps({
  live,
  view,
  write,
  now,
}: {
  readonly live: LiveLine
  readonly view: View
  write(text: string): void
  now(): number
}): AskSteps {
  const open = new Map<string, Step & { readonly since: number }>()
  let done: Step[] = []
  const fold = (): void => {
    const told = stepsDone(done)
    done = []
    if (told !== '') write(view.mark('dim', `· ${visible(told)}`))
  }
  const doing = (): void => {
    const [step] = [...open.values()].toReversed()
    if (step === undefined) live.clear()
    else live.draw(`… ${stepDoing(step)}`)
  }
  return {
    fold,
    call({ call, tool, input }) {
      open.set(call, { tool, input, since: now() })
      doing()
    },
    result({ call, tool, failed, text, output }) {
      const { since, ...step } = open.get(call) ?? { tool, input: {}, since: now() }
      open.delete(call)
      const ended: Step = { ...step, failed, text, output, milliseconds: now() - since }
      if (done[0] !== undefined && !isSameKind(done[0], ended)) fold()
      done.push(ended)
      const sql = view.verbose ? sqlOf(step) : undefined
      if (sql !== undefined) {
        fold()
        write(view.mark('dim', sql))
      }
      doing()
    },
  }
}

/** The indented SQL statement of a step. */
function sqlOf({ tool, input }: Step): string | undefined {
  const sql = (input as { readonly sql?: unknown } | null)?.sql
  return tool === 'execute_sql' && typeof sql === 'string' ? visible(sql).replaceAll(/^/gm, '    ') : undefined
}
