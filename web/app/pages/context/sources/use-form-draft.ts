import { useState } from 'react'
import { useProject } from '../../../api/queries.ts'
import { keep, kept, keptFields } from '../../../kit/kept-text.ts'
import type { SourceKind } from './source-words.ts'

type Values = Readonly<Record<string, string>>

/** What was typed into the form of a kind, also after the page was left. Secrets are not kept. */
export function useFormDraft(kind: SourceKind): readonly [Values, (field: string, text: string) => void] {
  const key = `ken.draft.source.${useProject()}.${kind.word}`
  const [values, setValues] = useState<Values>(() => read(kept(key)))
  const set = (field: string, text: string): void => {
    const next = { ...values, [field]: text }
    setValues(next)
    const secret = new Set(kind.fields.filter((one) => one.secret || one.name === 'url').map(({ name }) => name))
    keep(key, JSON.stringify(Object.fromEntries(Object.entries(next).filter(([name]) => !secret.has(name)))))
  }
  return [values, set]
}

const read = (text: string | undefined): Values =>
  Object.fromEntries(
    Object.entries(keptFields(text)).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  )
