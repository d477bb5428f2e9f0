import { useAnswer } from '../../api/queries.ts'
import { IconButton } from '../../kit/button.tsx'
import { Menu } from '../../kit/menu.tsx'
import type { Ask } from './ask-function.ts'
import type { HeardMessage } from './chat-log.ts'
import { questionImages, questionText } from './question-text.ts'

// The menu is for reading, not for searching.
const MOST = 12

/** Asks the question again, with the same model or another; everything after the question is removed. */
export const RetryMenu = ({ question, ask }: { question: HeardMessage; ask: Ask }) => {
  const { data } = useAnswer('answerers', {})
  const again = (model?: string) =>
    ask(questionText(question), {
      instead: question.id,
      images: questionImages(question),
      ...(model !== undefined && { model }),
    })
  const others = (data?.answerers ?? []).filter(({ problem }) => problem === undefined).slice(0, MOST)
  return (
    <Menu
      align="end"
      trigger={<IconButton icon="refresh" size="small" label="Retry" title="Retry, optionally with another model" />}
      entries={[
        { label: 'Ask again', icon: 'refresh', onSelect: () => again() },
        ...(others.length === 0 ? [] : (['line'] as const)),
        ...others.map(({ name }) => ({ label: `With ${name}`, onSelect: () => again(name) })),
      ]}
    />
  )
}
