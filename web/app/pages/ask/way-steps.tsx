import { Reading } from '../../kit/reading.tsx'
import type { WayStep } from './answer-view.ts'
import { CallStep } from './call-step.tsx'
import css from './way-steps.module.css'

/** All steps so far, newest last. */
export const WaySteps = ({ steps, onQuery }: { steps: readonly WayStep[]; onQuery: (query: string) => void }) =>
  steps.length === 0 ? (
    <p className={css.none}>No steps.</p>
  ) : (
    <ol className={css.steps}>
      {steps.map((step, at) => (
        <li key={at} className={css.step}>
          <OneStep step={step} onQuery={onQuery} />
        </li>
      ))}
    </ol>
  )

const OneStep = ({ step, onQuery }: { step: WayStep; onQuery: (query: string) => void }) => {
  switch (step.kind) {
    case 'call':
      return <CallStep step={step} onQuery={onQuery} />
    case 'reasoning':
      return (
        <details className={css.thought}>
          <summary>Thought: {firstLine(step.text)}</summary>
          <p className={css.words}>{step.text}</p>
        </details>
      )
    case 'said':
      return (
        <div className={css.said}>
          <Reading plain text={step.text} heading={4} given="" />
        </div>
      )
    case 'notice':
      return <p className={css.notice}>{step.text}</p>
    case 'compaction':
      return (
        <details className={css.thought}>
          <summary>Earlier messages were summarized</summary>
          <p className={css.words}>{step.summary}</p>
        </details>
      )
  }
}

const firstLine = (text: string): string => {
  const line = text.trim().split('\n')[0]!
  return line.length > 90 ? `${line.slice(0, 90)}…` : line
}
