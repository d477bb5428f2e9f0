import { useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Calls } from '../../api/call.ts'
import type { Fault } from '../../api/fault.ts'
import { useAnswer, useProject } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { CodeText } from '../../kit/data/code-text.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { Select } from '../../kit/select.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { showToast } from '../../kit/toast-store.ts'
import { useKeptForm } from '../../kit/use-kept-form.ts'
import { usePaused } from '../../kit/use-paused.ts'
import { WithCode } from '../../kit/with-code.tsx'
import styles from './forms.module.css'

interface Props {
  /** Id of the chat that the form was opened for; `feedback` is the id of a downvote. */
  readonly chat?: string | undefined
  readonly feedback?: string | undefined
  readonly onClose: () => void
}

// Debounces the preview, because each one runs a search or a check.
const PAUSE = 400

/** Creates a case from a chat, a downvote, a search or a check, with a preview before it is written. */
export const RecordDialog = ({ chat, feedback, onClose }: Props) => {
  const project = useProject()
  const client = useQueryClient()
  const [kept, setKept, clear] = useKeptForm<RecordDraft>('tests.record', EMPTY_RECORD)
  const [opened, setOpened] = useState<Partial<RecordDraft>>(
    feedback === undefined ? (chat === undefined ? {} : { from: 'chat', chat }) : { from: 'feedback', feedback },
  )
  const draft = { ...kept, ...opened }
  const set = (part: Partial<RecordDraft>): void => {
    setOpened({})
    setKept({ ...draft, ...part })
  }
  const wanted = recordWanted(JSON.parse(usePaused(JSON.stringify(draft), PAUSE)) as RecordDraft)
  const preview = useAnswer('test_record', { ...wanted, dry_run: true }, { enabled: wanted !== undefined, keep: true })
  const [fault, setFault] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const record = async (): Promise<void> => {
    if (wanted === undefined || isBusy) return
    setBusy(true)
    setFault(undefined)
    try {
      const made = await call(project, 'test_record', wanted)
      clear()
      showToast({ text: `Recorded in ${made.file}:${made.line}${made.draft ? ', as a draft' : ''}.` })
      // Excludes the preview: previewed again, the new case would conflict with itself.
      await client.invalidateQueries({
        queryKey: [project],
        predicate: ({ queryKey }) => queryKey[1] !== 'test_record',
      })
      onClose()
    } catch (thrown) {
      setFault(thrown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      width="wide"
      title="Record a case"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={isBusy} disabled={preview.data === undefined} onClick={() => void record()}>
            Record
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <Source draft={draft} set={set} />
        <TextField
          label="Name"
          placeholder={preview.data?.name ?? 'from the question'}
          value={draft.name}
          onChange={({ target }) => set({ name: target.value })}
        />
        <Preview preview={preview} isWanted={wanted !== undefined} />
        {fault !== undefined && <FaultNote fault={fault} />}
      </div>
    </Dialog>
  )
}

const Preview = ({
  preview,
  isWanted,
}: {
  preview: UseQueryResult<Calls['test_record']['output'], Fault>
  isWanted: boolean
}) => {
  if (!isWanted) return <p className={styles.note}>Choose a source to preview the case.</p>
  if (preview.isError) return <FaultNote fault={preview.error} />
  if (preview.data === undefined) return <Skeleton rows={4} label="Preparing the case" />
  const { text, notes, file, line, draft } = preview.data
  return (
    <div>
      <p className={styles.note}>
        {`${file}:${line}`}
        {draft && ', a draft: add the expected result before it runs'}
      </p>
      <CodeText language="yaml" text={text} className={styles.text!} />
      {notes.map((note) => (
        <p key={note} className={styles.warn}>
          <WithCode>{note}</WithCode>
        </p>
      ))}
    </div>
  )
}

const Source = ({ draft, set }: { draft: RecordDraft; set: (part: Partial<RecordDraft>) => void }) => (
  <>
    <Select
      label="From"
      value={draft.from}
      onChange={(from) => set({ from })}
      options={[
        { value: 'chat', label: 'A chat' },
        { value: 'feedback', label: 'A downvote' },
        { value: 'search', label: 'A search' },
        { value: 'check', label: 'An approach check' },
      ]}
    />
    {draft.from === 'chat' && <ChatField value={draft.chat} onChange={(chat) => set({ chat })} />}
    {draft.from === 'feedback' && (
      <TextField
        label="Downvote"
        hint="The draft in the inbox, the answer, or `last`."
        value={draft.feedback}
        onChange={({ target }) => set({ feedback: target.value })}
      />
    )}
    {draft.from === 'search' && (
      <TextField label="Query" value={draft.search} onChange={({ target }) => set({ search: target.value })} />
    )}
    {draft.from === 'check' && (
      <TextArea label="Approach" value={draft.check} onChange={({ target }) => set({ check: target.value })} />
    )}
  </>
)

// Short enough to read; for any other chat, a case can be created on the page of that chat.
const MOST_CHATS = 50

const ChatField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const { data } = useAnswer('chats_list', { limit: MOST_CHATS })
  const chats = (data?.chats ?? []).map(({ id, title }) => ({ value: id, label: title === '' ? 'Untitled' : title }))
  const isKnown = value === 'last' || chats.some((one) => one.value === value)
  return (
    <Select
      label={data?.more === undefined ? 'Chat' : `Chat, one of the last ${MOST_CHATS}`}
      value={value}
      onChange={onChange}
      options={[
        { value: 'last', label: 'The last chat' },
        ...(isKnown ? [] : [{ value, label: `Chat ${value.slice(0, 10)}` }]),
        ...chats,
      ]}
    />
  )
}

/** The chosen source of a case; input for the other sources is kept until it is sent. */
interface RecordDraft {
  readonly from: 'chat' | 'feedback' | 'search' | 'check'
  readonly chat: string
  readonly feedback: string
  readonly search: string
  readonly check: string
  readonly name: string
}

const EMPTY_RECORD: RecordDraft = {
  from: 'chat',
  chat: 'last',
  feedback: 'last',
  search: '',
  check: '',
  name: '',
}

/** Input of the operation; undefined if there is not enough input for a case yet. */
function recordWanted(draft: RecordDraft): Calls['test_record']['input'] | undefined {
  const value = draft[draft.from].trim()
  if (value === '') return undefined
  const name = draft.name.trim()
  return { [draft.from]: value, ...(name !== '' && { name }) }
}
