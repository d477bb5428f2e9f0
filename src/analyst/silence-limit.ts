import { AppError } from '../kernel/domain/errors.ts'
import { stopped } from '../kernel/domain/stop.ts'
import type { ConverseRequest, LanguageModel, ModelEvent } from '../kernel/ports/language-model.ts'
import { firstSignal } from './first-signal.ts'

/** Milliseconds after which a notice says that the model has not answered. */
const TOLD_AFTER = 20_000

interface SilenceLimit {
  /** Milliseconds without an event after which the request is aborted. */
  readonly milliseconds: number
  /** Called once, if the model has sent nothing for a while; never in the middle of an answer, which it would split. */
  tell(text: string): Promise<unknown>
}

/** Converses with a model while it keeps sending; throws `unavailable` if it has been silent for too long. */
export async function* converseWithin(
  model: LanguageModel,
  request: ConverseRequest,
  { milliseconds, tell }: SilenceLimit,
): AsyncGenerator<ModelEvent> {
  const late = new AbortController()
  const { promise: silent, reject } = Promise.withResolvers<never>()
  silent.catch(() => undefined)
  const giveUp = (): void => {
    late.abort()
    reject(givenUp(model.id, milliseconds))
  }
  const stop = (): void => reject(stopped())
  const toldAfter = Math.min(TOLD_AFTER, milliseconds / 2)
  const notice = setTimeout(() => void tell(hasNotAnswered(model.id, toldAfter)).catch(() => undefined), toldAfter)
  let limit = setTimeout(giveUp, milliseconds)
  request.signal.addEventListener('abort', stop)
  const answer = model.converse({ ...request, signal: firstSignal(request.signal, late.signal) })
  const events = answer[Symbol.asyncIterator]()
  try {
    for (;;) {
      // A provider's client may not obey the signal, so the limit does not wait for it.
      const next = await Promise.race([events.next(), silent])
      clearTimeout(notice)
      clearTimeout(limit)
      if (next.done === true) return
      yield next.value
      limit = setTimeout(giveUp, milliseconds)
    }
  } finally {
    clearTimeout(notice)
    clearTimeout(limit)
    request.signal.removeEventListener('abort', stop)
    late.abort()
    void events.return?.().catch(() => undefined)
  }
}

const hasNotAnswered = (model: string, milliseconds: number): string =>
  `${model} has not answered for ${Math.round(milliseconds / 1_000)} s.`

/** Not retried: the user has waited long enough. */
const givenUp = (model: string, milliseconds: number): AppError =>
  new AppError('unavailable', `${hasNotAnswered(model, milliseconds).slice(0, -1)} and was given up.`, {
    hint: 'Ask again, use another model, or wait longer: `ken config set analyst.silence 600`.',
  })
