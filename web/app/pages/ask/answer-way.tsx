import { useId, useState, useEffect } from 'react'
import { inDollars } from '../../../../src/analyst/domain/chat/in-dollars.ts'
import type { Injected } from '../../../../src/analyst/domain/chat/part.ts'
import { stepDoing } from '../../../../src/analyst/domain/chat/step-words.ts'
import { plural } from '../../../../src/kernel/domain/text.ts'
import { Icon } from '../../kit/icon.tsx'
import type { AnswerView } from './answer-view.ts'
import type { HeardMessage } from './chat-log.ts'
import { InjectedList } from './injected-list.tsx'
import { WaySteps } from './way-steps.tsx'
import css from './answer-way.module.css'

interface Props {
  readonly message: HeardMessage
  readonly view: AnswerView
  readonly onQuery: (query: string) => void
}

/** How the answer was found, in one line that expands: steps, time, tokens, cost, and the injected context. */
export const AnswerWay = ({ message, view, onQuery }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { injected, steps } = view
  const isEmpty = steps.length === 0 && injected === undefined && message.end !== undefined
  if (message.model === 'evidence') return <p className={css.plain}>The best sources, without a model</p>
  if (isEmpty && message.end?.usage.input === 0) return null
  return (
    <div className={css.way}>
      <button
        type="button"
        className={css.line}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
        {message.end === undefined ? <Doing view={view} since={message.at} /> : <span>{wordsOf(message, view)}</span>}
        {injected !== undefined && <span className={css.injected}>{injectedWords(injected)}</span>}
      </button>
      {isOpen && (
        <div id={id} className={css.opened}>
          {injected !== undefined && <InjectedList injected={injected} />}
          <WaySteps steps={steps} onQuery={onQuery} />
        </div>
      )}
    </div>
  )
}

/** The current step. */
const Doing = ({ view, since }: { view: AnswerView; since: string }) => {
  const last = view.steps.at(-1)
  const doing =
    last?.kind === 'call' && last.result === undefined
      ? stepDoing({ tool: last.tool, input: last.input })
      : view.text === ''
        ? 'thinking'
        : 'writing'
  return (
    <span className={css.doing}>
      {doing} · <Elapsed since={since} />
    </span>
  )
}

function wordsOf({ end }: HeardMessage, { steps }: AnswerView): string {
  if (end === undefined) return ''
  const { usage, milliseconds } = end
  const calls = steps.filter(({ kind }) => kind === 'call').length
  const tokens = usage.input + usage.output
  return [
    calls === 0 ? 'no steps' : plural(calls, 'step'),
    `${(milliseconds / 1_000).toFixed(1)} s`,
    tokens === 0 ? '' : `${tokens.toLocaleString('en')} tokens`,
    usage.cost === undefined ? '' : inDollars(usage.cost),
  ]
    .filter((word) => word !== '')
    .join(' · ')
}

function injectedWords({ rules, memories, decisions, tables, skills, stories }: Injected): string {
  const count = (many: number, one: string, more?: string): string => (many === 0 ? '' : plural(many, one, more))
  return [
    rules === undefined ? '' : 'rules',
    count(memories.length, 'fact'),
    count(decisions.length, 'decision'),
    count(tables.length, 'table'),
    count(skills.length, 'skill'),
    count(stories.length, 'story', 'stories'),
  ]
    .filter((word) => word !== '')
    .join(' · ')
}

/** Elapsed seconds, updated once a second. */
const Elapsed = ({ since }: { since: string }) => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <>{Math.max(0, Math.round((now - Date.parse(since)) / 1_000))} s</>
}
