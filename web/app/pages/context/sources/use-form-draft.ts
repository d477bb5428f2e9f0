import { useState } from 'react'
import { useProject } from '../../../api/queries.ts'
import { keep, kept, keptFields } from '../../../kit/kept-text.ts'
import type { SourceKind } from './source-words.ts'

type Values = Readonly<Record<string, string>>

/** Typed values of a kind's form, kept after the page is left. Secrets are not stored. */
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
