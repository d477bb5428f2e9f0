import { IconButton } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icon.tsx'
import type { Attachment } from './attachments.ts'
import css from './attached-files.module.css'

interface Props {
  readonly files: readonly Attachment[]
  readonly refused: readonly string[]
  readonly onRemove: (at: number) => void
}

/** Attached files, and those that were refused. */
export const AttachedFiles = ({ files, refused, onRemove }: Props) => (
  <>
    {files.length > 0 && (
      <ul className={css.files} aria-label="Attached files">
        {files.map((file, at) => (
          <li key={at} className={css.file}>
            {file.kind === 'image' ? (
              <img className={css.image} src={file.url} alt={file.name} />
            ) : (
              <Icon name="file" size={14} />
            )}
            <span className={css.name}>{file.name}</span>
            <IconButton size="small" icon="close" label={`Remove ${file.name}`} onClick={() => onRemove(at)} />
          </li>
        ))}
      </ul>
    )}
    <div role="alert">
      {refused.map((line) => (
        <p key={line} className={css.refused}>
          {line}
        </p>
      ))}
    </div>
  </>
)
