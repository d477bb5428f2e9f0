import { useAnswer } from '../../api/queries.ts'
import { Icon } from '../../kit/icon.tsx'
import { exampleQuestions } from './suggest-questions.ts'
import css from './example-questions.module.css'

/** Questions that this project can answer, generated from its content. */
export const ExampleQuestions = ({ onAsk }: { onAsk: (text: string) => void }) => {
  const mentions = useAnswer('mentions', { kinds: ['table', 'skill', 'story'], limit: 50 })
  const decisions = useAnswer('list_decisions', { limit: 5 })
  const questions = exampleQuestions({
    mentions: mentions.data?.mentions ?? [],
    decisions: (decisions.data?.decisions ?? []).map(({ title }) => title),
  })
  if (mentions.isPending || decisions.isPending) return null
  return (
    <section aria-label="Examples">
      <h2 className={css.title}>For example</h2>
      <ul className={css.list}>
        {questions.map((question) => (
          <li key={question}>
            <button type="button" className={css.one} onClick={() => onAsk(question)}>
              <Icon name="arrow-right" size={14} />
              {question}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
