import type { Context, Given } from '../../operations/context.ts'
import type { TurnResult } from '../ask-model.ts'
import type { Caps } from '../caps.ts'
import { firstSignal } from '../first-signal.ts'
import type { TurnWriter } from '../turn-writer.ts'

const capsOf = ({ settings }: Pick<Context, 'settings'>): Caps => ({
  steps: Number(settings.get('analyst.steps').value),
  tokens: Number(settings.get('analyst.tokens').value),
  milliseconds: Number(settings.get('analyst.seconds').value) * 1_000,
  silence: Math.max(1, Number(settings.get('analyst.silence').value)) * 1_000,
  cost: Number(settings.get('analyst.cost').value),
})

/** Runs a turn within its time limit; at the limit, stops everything still running, as if the person had stopped it. */
export async function withinLimits(
  ctx: Given,
  writer: TurnWriter,
  answer: (caps: Caps, signal: AbortSignal) => Promise<TurnResult>,
): Promise<TurnResult> {
  const caps = capsOf(ctx)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), caps.milliseconds)
  try {
    const result = await answer(caps, firstSignal(late.signal, ctx.signal))
    if (result.reason !== 'stopped' || ctx.signal?.aborted) return result
    const seconds = Math.round(caps.milliseconds / 1_000)
    await writer.add({ kind: 'notice', text: `The limit of ${seconds} seconds (analyst.seconds) is reached.` })
    return { ...result, reason: 'capped' }
  } finally {
    clearTimeout(timer)
  }
}
