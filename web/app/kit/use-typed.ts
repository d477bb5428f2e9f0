import { useEffect, useEffectEvent, useState } from 'react'
import { usePaused } from './use-paused.ts'

interface Typed {
  readonly text: string
  /** `value` at the last render. */
  readonly seen: string
  /** Texts passed to `set` that have not come back as `value`. */
  readonly sent: readonly string[]
}

/**
 * Text of a field whose `value` is stored elsewhere and changes late, such as in the URL: the typed text, trimmed, goes
 * to `set` after a pause, or at once with `flush`. A `value` from elsewhere, e.g. after going back, replaces the text.
 */
export function useTyped(value: string, set: (text: string) => void, pauseMs: number) {
  const [state, setState] = useState<Typed>({ text: value, seen: value, sent: [] })
  // The field's own text is passed back after later key presses, and must not replace them.
  if (state.seen !== value)
    setState((now) => {
      const echo = now.sent.indexOf(value)
      return {
        text: echo === -1 ? value : now.text,
        seen: value,
        sent: echo === -1 ? [] : now.sent.slice(echo + 1),
      }
    })
  const send = (typed: string): void => {
    const text = typed.trim()
    if (text === (state.sent.at(-1) ?? value)) return
    setState((now) => ({ ...now, sent: [...now.sent, text] }))
    set(text)
  }
  const settled = usePaused(state.text, pauseMs)
  const settle = useEffectEvent(() => settled === state.text && send(settled))
  useEffect(() => void settle(), [settled])
  return {
    text: state.text,
    type: (text: string) => setState((now) => ({ ...now, text })),
    flush: () => send(state.text),
  }
}
