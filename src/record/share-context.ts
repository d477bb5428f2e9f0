import { AppError } from '../kernel/domain/errors.ts'
import { plainText } from '../kernel/domain/trust/visible.ts'
import type { Call } from '../kernel/ports/call.ts'
import { textFault } from './domain/decision/screening.ts'
import { QUESTIONS } from './domain/files.ts'
import { addQuestion, nextQuestionNumber } from './domain/question.ts'
import type { Store } from './ports/store.ts'

export const SHARED_KINDS = ['brief', 'resume', 'selection'] as const

export interface SharedContext {
  /** File name without folder and extension. */
  readonly slug: string
  readonly content: string
  readonly kind: (typeof SHARED_KINDS)[number]
  /** One line that describes the text to others. */
  readonly summary: string
}

const PREFIX = { brief: 'BRIEF', resume: 'RESUME', selection: 'SELECT' } as const
const LARGEST_BYTES = 50 * 1024
const LONGEST_SUMMARY = 300

/**
 * Stores a text in the record for later work, with a pointer to it among the questions, where readers of this format
 * expect one. Repeating the same text is a no-op; a text is never overwritten by another.
 */
export async function shareContext(
  ctx: Pick<Call, 'origin'>,
  store: Store,
  shared: SharedContext,
): Promise<{ readonly status: 'ok' | 'unchanged'; readonly path: string }> {
  const path = `context/${shared.slug}.md`
  const text = `${plainText(shared.content).trim()}\n`
  const summary = shared.summary.trim()
  const fault =
    (text.trim() === '' ? 'The content is empty.' : textFault('content', text, LARGEST_BYTES)) ??
    (new TextEncoder().encode(text).length > LARGEST_BYTES ? 'The content has more than 50 KiB.' : undefined) ??
    (summary === '' ? 'The summary is empty.' : textFault('summary', summary, LONGEST_SUMMARY, 'one line'))
  if (fault !== undefined)
    throw new AppError('invalid_input', fault, { hint: 'Share only what the next session needs.' })
  return store.commit(ctx.origin, async (draft) => {
    const before = await draft.read(path)
    if (before === text) return { status: 'unchanged', path }
    if (before !== undefined)
      throw new AppError('conflict', `${path} already exists with other content.`, {
        hint: 'Read it, and choose another slug.',
      })
    const questions = (await draft.read(QUESTIONS)) ?? ''
    draft.write(path, text)
    draft.write(
      QUESTIONS,
      addQuestion(questions, nextQuestionNumber(questions), `${PREFIX[shared.kind]}: ${path} — ${summary}`),
    )
    draft.note('share_context', { path })
    draft.snapshot(`context: ${shared.slug}`)
    return { status: 'ok', path }
  })
}
