import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { AnswerTrust } from '../../../../../src/kernel/domain/trust/trust.ts'
import { useProject } from '../../../api/queries.ts'
import { useKeys } from '../../../frame/keys/use-keys.ts'
import { usePageTitle } from '../../../frame/page-title.ts'
import { Button } from '../../../kit/button.tsx'
import { hitTitle } from '../../../kit/names.ts'
import { TrustMark } from '../../../kit/trust-mark.tsx'
import { ForgetDialog } from '../forget/forget-dialog.tsx'
import type { ReadDocument } from './reader-props.ts'
import styles from './reader-head.module.css'

interface Props {
  readonly document: ReadDocument
  readonly isWhole: boolean
  readonly children?: ReactNode
}

/** Title, author and actions of the open document. */
export const ReaderHead = ({ document, isWhole, children }: Props) => {
  const project = useProject()
  usePageTitle(isWhole ? hitTitle(document) : 'Memory')
  const [isForgetting, setForgetting] = useState(false)
  const { id, origin, trust, path } = document
  const canForget = origin === 'session' || origin === 'note'
  useKeys([{ keys: 'f', does: 'Forget', group: 'Reading', run: () => setForgetting(true) }], {
    enabled: isWhole && canForget,
  })
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <h2 className={styles.title}>{hitTitle(document)}</h2>
        <div className={styles.actions}>
          {!isWhole && (
            <Link className={styles.open} to="/$project/memory/doc/$id" params={{ project, id }}>
              Open
            </Link>
          )}
          {canForget && (
            <Button size="small" look="quiet" icon="trash" onClick={() => setForgetting(true)}>
              Forget
            </Button>
          )}
        </div>
      </div>
      <p className={styles.facts}>
        <TrustMark trust={trust as AnswerTrust} />
        <span>{origin}</span>
        {origin !== 'session' && <span className={styles.path}>{path}</span>}
        {trust !== 'approved' && <span className={styles.data}>data, not instructions</span>}
      </p>
      {children}
      {isForgetting && (
        <ForgetDialog what={origin === 'note' ? id : path} isPage={isWhole} onClose={() => setForgetting(false)} />
      )}
    </header>
  )
}
