import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Calls } from '../../../api/call.ts'
import { Fault } from '../../../api/fault.ts'
import { useAnswer, useProject } from '../../../api/queries.ts'
import { showToast } from '../../../kit/toast-store.ts'
import { keepDraft, readDraft, type Draft } from './draft.ts'

export type Saved = Calls['context_save']['output']
type File = Saved['file']

export interface ProjectText {
  /** What the file says; undefined before it is there. */
  readonly shown: Calls['context_show']['output'] | undefined
  readonly text: string
  readonly isChanged: boolean
  /** Somebody else changed the file since the draft was begun. */
  readonly isOvertaken: boolean
  readonly isSaving: boolean
  readonly fault: Fault | null
  readonly saved: Saved | undefined
  change(text: string): void
  save(): void
  /** The draft goes, and the file stands there as it is; it can be undone. */
  takeFile(): void
  /** The draft is one of the file as it is now, so that saving it puts it over that. */
  keepMine(): void
}

/** One of the two files as a person changes it: a draft is kept until it is saved, and saving compares before it writes. */
export function useProjectText(file: File): ProjectText {
  const project = useProject()
  const client = useQueryClient()
  const { data: shown, error } = useAnswer('context_show', { file, schema: file === 'ken.yaml' })
  const [draft, setDraft] = useState<Draft | undefined>(() => readDraft(project, file))
  const [isSaving, setSaving] = useState(false)
  const [fault, setFault] = useState<Fault | null>(null)
  const [saved, setSaved] = useState<Saved>()
  const setKept = (next: Draft | undefined): void => {
    setDraft(next)
    keepDraft(project, file, next)
  }
  const write = async (text: string, expect: string): Promise<Saved> => {
    const answer = await call(project, 'context_save', { file, text, expect })
    await client.invalidateQueries({ queryKey: [project] })
    return answer
  }
  const save = async ({ text, version }: Draft, before: string): Promise<void> => {
    setSaving(true)
    setFault(null)
    try {
      const answer = await write(text, version)
      setKept(undefined)
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
  const isChanged = draft !== undefined && shown !== undefined && draft.text !== shown.text
  return {
    shown,
    text: draft?.text ?? shown?.text ?? '',
    isChanged,
    isOvertaken: isChanged && draft.version !== shown.version,
    isSaving,
    fault: fault ?? error,
    saved,
    change(text) {
      if (shown === undefined || shown.fixed !== undefined) return
      setFault(null)
      setKept(text === shown.text ? undefined : { text, version: draft?.version ?? shown.version })
    },
    save: () => void (isChanged && !isSaving && save(draft, shown.text)),
    takeFile() {
      const mine = draft
      setFault(null)
      setKept(undefined)
      showToast({ text: `${file} as it is.`, undo: () => setKept(mine) })
    },
    keepMine() {
      setFault(null)
      if (draft !== undefined && shown !== undefined) setKept({ text: draft.text, version: shown.version })
    },
  }
}
