import { useRef, type FormEvent } from 'react'
import { CONFIDENCES, REVERSIBILITIES } from '../../../../src/record/domain/decision/decision.ts'
import { useKeys } from '../../frame/keys/use-keys.ts'
import { Button } from '../../kit/button.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import { AnsweredQuestions } from './answered-questions.tsx'
import type { ProposalDraft } from './proposal.ts'
import { RejectedRows } from './rejected-rows.tsx'
import { TYPE_OPTIONS } from './words.ts'
import styles from './proposal-form.module.css'

interface Props {
  readonly draft: ProposalDraft
  readonly onChange: (draft: ProposalDraft) => void
  readonly onSubmit: () => void
  readonly onLeave: () => void
  readonly isBusy: boolean
  readonly refused: string | undefined
  readonly fault: unknown
}

/** Title, reason, rejected alternatives, files and type. Typed text is kept until it is recorded. */
export const ProposalForm = ({ draft, onChange, onSubmit, onLeave, isBusy, refused, fault }: Props) => {
  const form = useRef<HTMLFormElement>(null)
  const set = (part: Partial<ProposalDraft>): void => onChange({ ...draft, ...part })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isBusy) onSubmit()
  }
  useKeys([{ keys: 'mod+enter', does: 'Record it', group: 'Proposal', run: () => form.current?.requestSubmit() }])
  return (
    <form ref={form} className={styles.form} onSubmit={submit}>
      <TextField
        label="Decision"
        placeholder="Cache hot reads in Redis"
        value={draft.title}
        required
        autoFocus
        onChange={(event) => set({ title: event.target.value })}
      />
      <TextArea
        label="Why"
        hint="Constraints, trade-offs and what would change it. Markdown."
        className={styles.why}
        rows={7}
        value={draft.rationale}
        required
        onChange={(event) => set({ rationale: event.target.value })}
      />
      <RejectedRows rows={draft.rejected} onChange={(rejected) => set({ rejected })} />
      <TextArea
        label="Governed files"
        hint="One path, folder or glob per line."
        className={styles.files}
        rows={2}
        spellCheck={false}
        placeholder="src/cache/**"
        value={draft.files}
        onChange={(event) => set({ files: event.target.value })}
      />
      <Kinds draft={draft} set={set} />
      <AnsweredQuestions chosen={draft.resolves} onChange={(resolves) => set({ resolves })} />
      {refused !== undefined && (
        <p className={styles.refused} role="alert">
          {refused}
        </p>
      )}
      {fault !== null && fault !== undefined && <FaultNote fault={fault} />}
      <div className={styles.ends}>
        <Button look="primary" type="submit" busy={isBusy}>
          Record the decision
        </Button>
        <Button look="quiet" onClick={onLeave}>
          Discard
        </Button>
        <span className={styles.kept}>Saved in this browser until you record it.</span>
      </div>
    </form>
  )
}

const Kinds = ({ draft, set }: { draft: ProposalDraft; set: (part: Partial<ProposalDraft>) => void }) => (
  <div className={styles.kinds}>
    <Select
      label="Type"
      value={draft.type}
      options={[{ value: '', label: 'Not set' }, ...TYPE_OPTIONS]}
      onChange={(type) => set({ type })}
    />
    <Select
      label="Confidence"
      value={draft.confidence}
      options={CONFIDENCES.map(named)}
      onChange={(confidence) => set({ confidence })}
    />
    <Select
      label="Reversal"
      value={draft.reversibility}
      options={[{ value: '', label: 'Not set' }, ...REVERSIBILITIES.map(named)]}
      onChange={(reversibility) => set({ reversibility })}
    />
  </div>
)

const named = (value: string) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) })
