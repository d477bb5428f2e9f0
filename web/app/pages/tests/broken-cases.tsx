import type { Calls } from '../../api/call.ts'
import { Icon } from '../../kit/icon.tsx'
import styles from './broken-cases.module.css'

type Cases = Calls['test_cases']['output']

/** Entries of the test files that are not valid cases, with line and reason, and drafts pending review. */
export const BrokenCases = ({ broken, drafts, folder }: Pick<Cases, 'broken' | 'drafts' | 'folder'>) =>
  broken.length + drafts.length === 0 ? null : (
    <ul className={styles.list} aria-label="Invalid cases">
      {broken.map((one) => (
        <li key={`${one.file}:${one.line}:${one.name}`} className={styles.broken}>
          <Icon name="warn" size={14} />
          <span>
            <code>{`${folder}/${one.file}:${one.line}`}</code> {one.name !== one.file && `“${one.name}”: `}
            {one.fault}
          </span>
        </li>
      ))}
      {drafts.map((one) => (
        <li key={`${one.file}:${one.line}:${one.name}`} className={styles.draft}>
          <Icon name="edit" size={14} />
          <span>
            <code>{`${folder}/${one.file}:${one.line}`}</code> “{one.name}” is a draft: add the expected result and
            remove the tag <code>draft</code> .{' '}
          </span>
        </li>
      ))}
    </ul>
  )
