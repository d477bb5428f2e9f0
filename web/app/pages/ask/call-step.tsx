import { useId, useState } from 'react'
import { stepDoing, stepsDone } from '../../../../src/analyst/domain/chat/step-words.ts'
import { Button } from '../../kit/button.tsx'
import { classNames } from '../../kit/class-names.ts'
import { CallInput } from '../../kit/data/call-input.tsx'
import { Icon } from '../../kit/icon.tsx'
import { queryIdIn, type WayStep } from './answer-view.ts'
import css from './call-step.module.css'

interface Props {
  readonly step: Extract<WayStep, { kind: 'call' }>
  readonly onQuery: (query: string) => void
}

/** A tool call in plain English; expands to its input and output. */
export const CallStep = ({ step, onQuery }: Props) => {
  const { result } = step
  const isFailed = result?.failed === true
  // Failures are open by default.
  const [isOpen, setOpen] = useState(isFailed)
  const id = useId()
  const query = isFailed ? undefined : queryIdIn(result?.output)
  return (
    <div className={css.call}>
      <button
        type="button"
        className={classNames(css.line, isFailed && css.failed)}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
        <span>{wordsOf(step)}</span>
        <code className={css.tool}>{step.tool}</code>
      </button>
      {isOpen && (
        <div id={id} className={css.inside}>
          <div className={css.name}>Input</div>
          <CallInput input={step.input} />
          <div className={css.name}>{isFailed ? 'Error' : 'Result'}</div>
          {result === undefined ? (
            <p className={css.waiting}>Still running.</p>
          ) : (
            <pre className={css.result} tabIndex={0}>
              {result.text.length > LONGEST ? `${result.text.slice(0, LONGEST)}\n…` : result.text}
            </pre>
          )}
          {query !== undefined && (
            <Button size="small" look="quiet" icon="table" onClick={() => onQuery(query)}>
              Show the rows
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

const LONGEST = 20_000

function wordsOf({ tool, input, result }: Props['step']): string {
  const step = { tool, input }
  const words =
    result === undefined ? stepDoing(step) : stepsDone([{ ...step, ...result }]) || DONE[tool] || stepDoing(step)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Labels for calls that show their result in the answer. */
const DONE: Readonly<Record<string, string>> = {
  display_chart: 'drew a chart',
  story: 'wrote a story',
  remember: 'remembered something',
}
