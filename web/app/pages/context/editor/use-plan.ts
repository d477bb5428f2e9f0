import { useEffect, useState } from 'react'
import type { Calls } from '../../../api/call.ts'
import { useAnswer } from '../../../api/queries.ts'

export type Plan = Calls['context_plan']['output']

const PAUSE_MS = 350

/** Problems and effects of a text, requested whenever typing pauses. */
export function usePlan(text: string, isReady: boolean): Plan | undefined {
  const [asked, setAsked] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return useAnswer('context_plan', { text: asked }, { enabled: isReady && asked !== '', keep: true }).data
}
