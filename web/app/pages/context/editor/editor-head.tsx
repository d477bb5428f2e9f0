import type { ReactNode } from 'react'
import { unifiedDiff } from '../../../../../src/kernel/domain/text/unified-diff.ts'
import { useKeys } from '../../../frame/keys/use-keys.ts'
import { usePageTitle } from '../../../frame/page-title.ts'
import { Button } from '../../../kit/button.tsx'
import { TextDiff } from '../../../kit/data/text-diff.tsx'
import { FaultNote } from '../../../kit/fault-note.tsx'
import { Icon } from '../../../kit/icon.tsx'
import type { ProjectText } from './use-project-text.ts'
import heading from '../heading.module.css'
import styles from './editor.module.css'

interface Props {
  readonly title: string
  readonly about: string
  readonly text: ProjectText
  readonly children?: ReactNode
}

/** The title of an editor, its unsaved state, and the reasons why it cannot be saved. */
export const EditorHead = ({ title, about, text, children }: Props) => {
  usePageTitle(title)
  useKeys([{ keys: 'mod+s', does: `Save ${title}`, group: 'Context', run: text.save }])
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <div>
          <h2 className={heading.pane}>{title}</h2>
          <p className={styles.about}>{about}</p>
        </div>
        <div className={styles.actions}>
          <span role="status" className={styles.unsaved}>
            {text.isChanged ? 'Unsaved draft' : ''}
          </span>
          {children}
          {text.isChanged && !text.isOvertaken && <Button onClick={text.takeFile}>Discard</Button>}
          <Button
            look="primary"
            busy={text.isSaving}
            disabled={!text.isChanged || text.isOvertaken}
            onClick={text.save}
          >
            Save
          </Button>
        </div>
      </div>
      {text.shown?.fixed !== undefined && (
        <p className={styles.warn}>
          <Icon name="lock" size={14} /> {text.shown.fixed}
        </p>
      )}
      {text.isOvertaken ? <Overtaken text={text} title={title} /> : text.fault && <FaultNote fault={text.fault} />}
    </header>
  )
}

const Overtaken = ({ text, title }: { text: ProjectText; title: string }) => (
  <div className={styles.overtaken} role="alert">
    <p>{title} was changed by someone else while you edited. Nothing was overwritten.</p>
    <TextDiff
      label="Current file and your draft"
      names={{ before: 'Current file', after: 'Your draft' }}
      diff={unifiedDiff(text.shown?.text ?? '', text.text, { before: 'file', after: 'yours' })}
    />
    <div className={styles.actions}>
      <Button onClick={text.takeFile}>Use the current file</Button>
      <Button onClick={text.keepMine}>Keep my draft</Button>
    </div>
  </div>
)
