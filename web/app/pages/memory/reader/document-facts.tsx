import type { ReactNode } from 'react'
import type { AnswerTrust } from '../../../../../src/kernel/domain/trust/trust.ts'
import { Facts } from '../../../frame/inspector/facts.tsx'
import { InInspector } from '../../../frame/inspector/in-inspector.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { TrustMark } from '../../../kit/trust-mark.tsx'
import type { ReadDocument } from './reader-props.ts'
import styles from './reader-head.module.css'

interface Props {
  readonly document: ReadDocument
  readonly more?: readonly (readonly [name: string, value: ReactNode])[]
}

/** Origin, time, author, trust and links of the open document. */
export const DocumentFacts = ({ document: { id, origin, trust, path, total_lines: lines }, more = [] }: Props) => (
  <InInspector title="Origin and trust">
    <Facts
      facts={[
        ['Origin', origin],
        ['Trust', <TrustMark key="trust" trust={trust as AnswerTrust} />],
        ...more,
        [
          'File',
          <span key="file" className={styles.path}>
            {path}
          </span>,
        ],
        ['Lines', lines.toLocaleString('en')],
        ['Id', <code key="id">{id}</code>],
      ]}
    />
    <CopyButton text={`ken show ${id}`} label="Copy the show command" />
  </InInspector>
)
