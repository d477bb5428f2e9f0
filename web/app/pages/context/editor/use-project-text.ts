import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Calls } from '../../../api/call.ts'
import { Fault } from '../../../api/fault.ts'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { showToast } from '../../../kit/toast-store.ts'
import { useDraft } from '../../../kit/use-draft.ts'

export type Saved = Calls['context_save']['output']
type File = Saved['file']

export interface ProjectText {
  /** Content of the file; undefined before it is loaded. */
  readonly shown: Calls['context_show']['output'] | undefined
  readonly text: string
  readonly isChanged: boolean
  /** The file was changed elsewhere since the draft was started. */
  readonly isOvertaken: boolean
  readonly isSaving: boolean
  readonly fault: Fault | null
  readonly saved: Saved | undefined
  change(text: string): void
  save(): void
  /** Discards the draft and shows the file; can be undone. */
  takeFile(): void
  /** Rebases the draft on the current file, so that saving overwrites it. */
  keepMine(): void
}

/** One of the two editable files: a draft is kept until it is saved, and saving checks for conflicts before writing. */
export function useProjectText(file: File): ProjectText {
  const project = useProject()
  const client = useQueryClient()
  const { data: shown, error } = useAnswer('context_show', { file, schema: file === 'ken.yaml' })
  const draft = useDraft(`${project}.${file}`, shown?.text ?? '', shown?.version)
  const [isSaving, setSaving] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const [saved, setSaved] = useState<Saved>()
  const write = async (text: string, expect: string): Promise<Saved> => {
    const answer = await call(project, 'context_save', { file, text, expect })
    await client.invalidateQueries({ queryKey: [project] })
    return answer
  }
  const save = async (expect: string, before: string): Promise<void> => {
    setSaving(true)
    setFault(null)
    try {
      const answer = await write(draft.text, expect)
      draft.sent(draft.text, answer.version)
      setSaved(answer)
      showToast({ text: `Saved ${file}.`, undo: async () => setSaved(await write(before, answer.version)) })
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown
      setFault(thrown)
      if (thrown.code === 'conflict') await client.invalidateQueries({ queryKey: [project, 'context_show'] })
    } finally {
      setSaving(false)
    }
  }
  const isChanged = shown !== undefined && draft.isChanged
  return {
    shown,
    text: draft.text,
    isChanged,
    isOvertaken: isChanged && !isSaving && draft.base !== shown.version,
    isSaving,
    fault: fault ?? error,
    saved,
    change(text) {
      if (shown === undefined || shown.fixed !== undefined) return
      setFault(null)
      draft.set(text)
    },
    save: () => void (isChanged && !isSaving && save(draft.base ?? '', shown.text)),
    takeFile() {
      setFault(null)
      draft.clear()
      showToast({ text: `${file} reloaded.`, undo: () => draft.set(draft.text, draft.base) })
    },
    keepMine() {
      setFault(null)
      if (shown !== undefined) draft.set(draft.text, shown.version)
    },
  }
}
