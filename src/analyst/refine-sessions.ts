import { estimateTokens } from '../context/domain/context-project/manifest.ts'
import { NO_USAGE, type Usage } from '../kernel/domain/model-usage.ts'
import type { StopSignal } from '../kernel/domain/stop.ts'
import { orStopped } from '../kernel/domain/stop.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { LanguageModel } from '../kernel/ports/language-model.ts'
import type { RefinedSession, SessionCandidates } from './capture-sessions.ts'
import { judgeRefinement, MOST_ANSWER_TOKENS, refinementPrompt } from './domain/feedback/refine-candidates.ts'
import { firstSignal } from './first-signal.ts'
import type { AnalystState } from './ports/analyst-state.ts'

/** Milliseconds to wait for the model per session. */
const PATIENCE = 60_000

/** Tokens of one request per session, the output at most. */
export function refinementUsage(found: readonly SessionCandidates[]): Pick<Usage, 'input' | 'output'> {
  const requests = found.filter(({ isDrafted }) => !isDrafted).map(({ candidates }) => candidates)
  return {
    input: requests.reduce((sum, candidates) => sum + requestTokens(candidates), 0),
    output: requests.reduce((sum, candidates) => sum + answerTokens(candidates), 0),
  }
}

const requestTokens = (candidates: SessionCandidates['candidates']): number => {
  const { system, prompt } = refinementPrompt(candidates)
  return estimateTokens(system + prompt)
}
const answerTokens = (candidates: SessionCandidates['candidates']): number =>
  50 + MOST_ANSWER_TOKENS * candidates.length

export interface RefineParts {
  readonly model: LanguageModel
  readonly clock: Clock
  readonly signal: StopSignal
  readonly state: Pick<AnalystState, 'calls'>
  readonly user: string
  readonly project: string
}

/**
 * Asks the model once per session that has no draft yet. A failed or unreadable answer leaves the candidates unchanged.
 */
export async function refineSessions(
  parts: RefineParts,
  found: readonly SessionCandidates[],
): Promise<{ readonly refined: readonly RefinedSession[]; readonly usage: Usage; readonly failure?: string }> {
  const refined: RefinedSession[] = []
  let [input, output] = [0, 0]
  let failure: string | undefined
  for (const { session, candidates, isDrafted } of found) {
    if (isDrafted || failure !== undefined) {
      refined.push({ session, kept: candidates, setAside: [] })
      continue
    }
    try {
      const answer = await askOnce(parts, candidates)
      const { isAnswered, ...judged } = judgeRefinement(candidates, answer)
      if (!isAnswered) failure = 'The model did not answer in the requested form.'
      refined.push({ session, ...judged })
      output += estimateTokens(answer)
    } catch (error) {
      failure = toAppError(error).message
      refined.push({ session, kept: candidates, setAside: [] })
    }
    input += requestTokens(candidates)
  }
  return { refined, usage: { ...NO_USAGE, input, output }, ...(failure !== undefined && { failure }) }
}

async function askOnce(
  { model, clock, signal, state, user, project }: RefineParts,
  candidates: SessionCandidates['candidates'],
): Promise<string> {
  const started = clock.now().getTime()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), PATIENCE)
  const either = firstSignal(late.signal, signal)
  let answer: string | undefined
  try {
    const request = { ...refinementPrompt(candidates), maxTokens: answerTokens(candidates), signal: either }
    answer = await orStopped(model.write(request), either)
    return answer
  } finally {
    clearTimeout(timer)
    const now = clock.now()
    await state.calls.keep({
      id: clock.ulid(),
      user,
      project,
      purpose: 'draft',
      model: model.id,
      usage: { ...NO_USAGE, input: requestTokens(candidates), output: estimateTokens(answer ?? '') },
      milliseconds: now.getTime() - started,
      failed: answer === undefined,
      at: now.toISOString(),
    })
  }
}
