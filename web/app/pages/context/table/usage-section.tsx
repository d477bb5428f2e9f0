import { CodeText } from '../../../kit/data/code-text.tsx'
import type { TableFacts } from './facts.ts'
import styles from './table-page.module.css'

/** Usage from the query history, if the database keeps one; the definition of a view. */
export const UsageSection = ({ facts: { usage, definition, examples } }: { facts: TableFacts }) => (
  <>
    {definition !== undefined && (
      <section aria-labelledby="table-definition">
        <h2 id="table-definition" className={styles.heading}>
          Definition
        </h2>
        <CodeText text={definition} language="sql" />
      </section>
    )}
    {usage !== undefined && (
      <section aria-labelledby="table-usage">
        <h2 id="table-usage" className={styles.heading}>
          Usage
        </h2>
        <p className={styles.soft}>
          Read {usage.times.toLocaleString('en-US')} times in the database’s query history
          {usage.joins.length > 0 && `, most often with ${usage.joins.map(({ table }) => table).join(', ')}`}.
        </p>
        {usage.queries.map(({ times, sql }, at) => (
          <div key={at} className={styles.usage}>
            <p className={styles.note}>{times.toLocaleString('en-US')} times</p>
            <CodeText text={sql} language="sql" />
          </div>
        ))}
      </section>
    )}
    {examples.length > 0 && (
      <section aria-labelledby="table-examples">
        <h2 id="table-examples" className={styles.heading}>
          Example queries
        </h2>
        <ul className={styles.list}>
          {examples.map((question) => (
            <li key={question}>{question}</li>
          ))}
        </ul>
      </section>
    )}
  </>
)
