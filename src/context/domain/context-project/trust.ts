import { AppError } from '../../../kernel/domain/errors.ts'
import type { Reach } from './reach.ts'

/** Resources that the user allowed the entries of one project to access, by key, in the wording shown to them. */
export type Granted = Readonly<Record<string, readonly string[]>>

/** Compares every line, including removed ones: without `ssl verify-full` the same host needs new trust. */
export function isTrusted({ key, lines }: Reach, granted: Granted | undefined): boolean {
  const known = granted?.[key] ?? []
  return lines.length === 0 || (lines.length === known.length && lines.every((line, i) => line === known[i]))
}

/** `host b.example (new), host a.example (gone)`; lists everything if the entry is new. */
export function changeOf({ key, lines }: Reach, granted: Granted | undefined): string {
  const before = granted?.[key]
  if (before === undefined) return lines.join(', ')
  const added = lines.filter((line) => !before.includes(line)).map((line) => `${line} (new)`)
  const gone = before.filter((line) => !lines.includes(line)).map((line) => `${line} (gone)`)
  return [...added, ...gone].join(', ')
}

export function untrusted(reach: Reach, granted: Granted | undefined, root: string): AppError {
  const why = granted?.[reach.key] === undefined ? 'is not trusted yet; it would' : 'changed since you trusted it:'
  return new AppError('forbidden', `${reach.key} ${why} ${changeOf(reach, granted)}.`, {
    hint: `Review it and allow it with \`ken trust ${/^[\w./-]+$/.test(root) ? root : JSON.stringify(root)}\`.`,
  })
}
