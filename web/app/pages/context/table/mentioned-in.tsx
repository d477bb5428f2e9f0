import { Link } from '@tanstack/react-router'
import { useProject } from '../../../api/queries.ts'
import { isOffered } from '../../../api/server.ts'
import type { TableFacts } from './facts.ts'
import styles from './table-page.module.css'

/** The rules that name the table, and the files about it. */
export const MentionedIn = ({ facts: { rules, documents } }: { facts: TableFacts }) => {
  const project = useProject()
  return (
    <>
      <section aria-labelledby="table-rules">
        <h2 id="table-rules" className={styles.heading}>
          Rules
        </h2>
        {rules.length === 0 ? (
          <p className={styles.soft}>
            No rules mention this table. Add definitions and pitfalls to{' '}
            {isOffered('context_save') ? (
              <>
                the{' '}
                <Link to="/$project/context/rules" params={{ project }}>
                  rules
                </Link>
              </>
            ) : (
              'RULES.md of the repository'
            )}
            .
          </p>
        ) : (
          <ul className={styles.rules}>
            {rules.map(({ line, text }) => (
              <li key={line}>{text.replace(/^[-*] /, '')}</li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="table-files">
        <h2 id="table-files" className={styles.heading}>
          Files
        </h2>
        <ul className={styles.files}>
          {documents.map(({ name, path, tokens, model }) => (
            <li key={path}>
              <Link to="/$project/context/file/$" params={{ project, _splat: path }}>
                {name}.md
              </Link>{' '}
              <span className={styles.soft}>
                {tokens.toLocaleString('en-US')} tokens{model !== undefined && `, written by ${model}`}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
