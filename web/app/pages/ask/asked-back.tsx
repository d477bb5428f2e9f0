import { Button } from '../../kit/button.tsx'
import type { Ask } from './ask-function.ts'
import css from './asked-back.module.css'

interface Props {
  readonly question: string
  readonly options: readonly string[]
  /** Whether the question is pending: nothing followed it. */
  readonly isOpen: boolean
  readonly ask: Ask
}

/** A clarifying question with its options; any other answer goes into the field below. */
export const AskedBack = ({ question, options, isOpen, ask }: Props) => (
  <section className={css.asked} aria-label="Ken asks">
    <p className={css.question}>{question}</p>
    {isOpen && options.length > 0 && (
      <div className={css.options}>
        {options.map((option) => (
          <Button key={option} onClick={() => ask(option)}>
            {option}
          </Button>
        ))}
      </div>
    )}
    {isOpen && <p className={css.hint}>Or answer in your own words below.</p>}
  </section>
)
