import { AppError } from '../../kernel/domain/errors.ts'
import type { Catalogue } from './decision/catalogue.ts'
import { readablePath, recordText, writablePath } from './record-path.ts'

/** Result of a draft. `texts` maps a path to its new text, or to undefined if it is removed. */
export interface Changes {
  readonly texts: ReadonlyMap<string, string | undefined>
  readonly note: { readonly operation: string; readonly facts: Readonly<Record<string, unknown>> } | undefined
  readonly snapshot: { readonly trigger: string; readonly detail: string } | undefined
  /** Journal lines taken from another machine. */
  readonly taken: readonly string[]
}

/**
 * A change being assembled on top of what `source` reads; after `finish` the changes are valid and the draft is closed.
 */
export function openDraft(source: {
  read(path: string): Promise<string | undefined>
  catalogue(): Promise<Catalogue>
}) {
  const texts = new Map<string, string | undefined>()
  let note: Changes['note']
  let snapshot: Changes['snapshot']
  const taken: string[] = []
  let open = true

  function change(path: string, text: string | undefined): void {
    if (!open)
      throw new AppError('internal', `${path} was changed after its commit`, {
        hint: 'Await every step of the change inside the commit.',
      })
    texts.set(writablePath(path), text)
  }

  return {
    draft: {
      async read(path: string): Promise<string | undefined> {
        return texts.has(readablePath(path)) ? texts.get(path) : source.read(path)
      },
      catalogue: () => source.catalogue(),
      write: (path: string, text: string) => change(path, recordText(text)),
      remove: (path: string) => change(path, undefined),
      note(operation: string, facts: Readonly<Record<string, unknown>>): void {
        if (note !== undefined) throw new AppError('internal', `the change is already noted as ${note.operation}`)
        note = { operation, facts }
      },
      snapshot(trigger: string, detail = ''): void {
        snapshot = { trigger, detail }
      },
      take: (lines: readonly string[]) => void taken.push(...lines),
    },
    finish(): Changes {
      open = false
      return { texts, note, snapshot, taken }
    },
  }
}

export const isEmpty = (changes: Changes): boolean =>
  changes.texts.size === 0 && changes.note === undefined && changes.snapshot === undefined && changes.taken.length === 0
