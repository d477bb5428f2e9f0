import { Button, IconButton } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import type { RejectedDraft } from './proposal.ts'
import styles from './rejected-rows.module.css'

interface Props {
  readonly rows: readonly RejectedDraft[]
  readonly onChange: (rows: readonly RejectedDraft[]) => void
}

/** Rejected alternatives, one row each with its reason. */
export const RejectedRows = ({ rows, onChange }: Props) => {
  const change = (at: number, part: Partial<RejectedDraft>): void =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)))
  return (
    <fieldset className={styles.rows}>
      <legend className={styles.legend}>Rejected alternatives</legend>
      {rows.map((row, at) => (
        <div key={at} className={styles.row}>
          <TextField
            label={`Alternative ${at + 1}`}
            hideLabel
            placeholder="Memcached"
            value={row.alternative}
            onChange={(event) => change(at, { alternative: event.target.value })}
          />
          <TextField
            label={`Reason against alternative ${at + 1}`}
            hideLabel
            placeholder="Why not"
            value={row.reason}
            onChange={(event) => change(at, { reason: event.target.value })}
          />
          <IconButton
            icon="close"
            size="small"
            label={`Remove alternative ${at + 1}`}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Button size="small" icon="plus" onClick={() => onChange([...rows, { alternative: '', reason: '' }])}>
        Add one
      </Button>
    </fieldset>
  )
}
