import { useState } from 'react'
import { label } from '../../../../src/record/domain/decision/decision.ts'
import { useAct, useAnswer } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { Combobox, type ComboboxOption } from '../../kit/combobox.tsx'
import { FaultNote } from '../../kit/fault-note.tsx'
import { usePaused } from '../../kit/use-paused.ts'
import { useUndoToast } from './use-undo-toast.ts'
import styles from './resolve-question.module.css'

const PAUSE_MS = 180

/** Selects the decision that answers a question, by number or words. */
export const ResolveQuestion = ({ id }: { id: string }) => {
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState<ComboboxOption | null>(null)
  const resolve = useAct('flag_question')
  const say = useUndoToast()
  const options = useChoices(words)
  const act = async (): Promise<void> => {
    if (chosen === null) return
    // The form unmounts as soon as the question is resolved, so nothing may depend on it.
    const done = await resolve.mutateAsync({ targets: [id], resolved_by: chosen.value }).catch(() => undefined)
    if (done?.status === 'ok') await say(`Resolved ${id} with ${chosen.value}.`)
  }
  const refused = resolve.data?.status === 'rejected' ? resolve.data.error?.reason : undefined
  return (
    <div className={styles.resolve}>
      <Combobox
        label="Or answered by an existing decision"
        placeholder="D042, or words from its title"
        value={chosen}
        options={options}
        onChange={setChosen}
        onSearch={setWords}
        nothing="No matching active decision."
      />
      <Button busy={resolve.isPending} disabled={chosen === null} onClick={() => void act()}>
        Resolve
      </Button>
      {refused !== undefined && <p role="alert">{refused}</p>}
      {resolve.error !== null && <FaultNote fault={resolve.error} />}
    </div>
  )
}

/** The newest decisions, or the decisions that match the words. */
function useChoices(words: string): readonly ComboboxOption[] {
  const text = usePaused(words.trim(), PAUSE_MS)
  const number = /^D?0*(\d{1,9})$/i.exec(text)?.[1]
  const newest = useAnswer('list_decisions', { limit: 20 })
  const found = useAnswer('search_decisions', { query: text, limit: 20 }, { enabled: text !== '', keep: true })
  const one = useAnswer(
    'get_decision',
    { number: Number(number ?? 0), mode: 'header' },
    { enabled: number !== undefined },
  )
  const hits = [
    ...(number !== undefined && one.data?.status === 'active' ? [one.data] : []),
    ...(text === '' ? (newest.data?.decisions ?? []) : (found.data?.results ?? [])),
  ]
  const unique = new Map(hits.map((hit) => [hit.number, hit]))
  return [...unique.values()].map((hit) => ({ value: label(hit.number), label: `${label(hit.number)} ${hit.title}` }))
}
