import type { Calls } from '../../../api/call.ts'

export type SourceKind = Calls['source_kinds']['output']['kinds'][number]
export type KindField = SourceKind['fields'][number]

/** A filled form as arguments of `ken source add`: the kind, then each filled field. */
export const wordsOf = (kind: SourceKind, values: Readonly<Record<string, string>>): readonly string[] => [
  kind.word,
  ...kind.fields.flatMap(({ name, secret }) => {
    const text = secret ? (values[name] ?? '') : (values[name] ?? '').trim()
    return text === '' ? [] : [`${name}=${text}`]
  }),
]
