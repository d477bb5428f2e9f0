import { WithCode } from '../../kit/with-code.tsx'
import type { Page } from './use-hits.ts'
import styles from './result-list.module.css'

interface Props {
  readonly page: Page
  readonly asked: string
  readonly hits: number
  readonly hasMore: boolean
  readonly noun: 'document' | 'session'
}

/** Summary of the result: the number of hits, the stages that ran, and notes. */
export const SearchFoot = ({ page, asked, hits, hasMore, noun }: Props) => (
  <footer className={styles.foot}>
    <p role="status">
      {hasMore ? 'More than ' : ''}
      {hits.toLocaleString('en')} {hits === 1 && !hasMore ? noun : `${noun}s`}
      {asked.trim() === ''
        ? ', newest first'
        : `, found ${page.stages.map((stage) => STAGES[stage] ?? stage).join(', ')}`}
    </p>
    {page.notes.slice(0, 3).map((note) => (
      <p key={note}>
        <WithCode>{note}</WithCode>
      </p>
    ))}
  </footer>
)

const STAGES: Readonly<Record<string, string>> = {
  lexical: 'by words',
  semantic: 'by meaning',
  expansion: 'query rewritten',
  rerank: 'reranked by a model',
}
