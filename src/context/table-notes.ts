import { semanticNotes } from './domain/context-project/semantics.ts'
import { indexNotes, type NotesOn, type TableNote } from './domain/sources/table-notes.ts'
import type { ContextFiles } from './ports/context-files.ts'

export interface NoteParts {
  readonly files: ContextFiles
  /** Every source of the project that may be opened and describes tables. */
  readonly describing: readonly (() => Promise<readonly TableNote[]>)[]
}

/** The project's descriptions of its tables: `semantics/` first, then its sources. A failing source is skipped here. */
export async function readTableNotes({ files, describing }: NoteParts): Promise<NotesOn> {
  const written = (await files.list('semantics')).filter(({ path }) => /\.ya?ml$/.test(path))
  const own = await Promise.all(
    written.map(({ path }) =>
      files
        .read(path)
        .then(semanticNotes)
        .catch(() => []),
    ),
  )
  // A source's error is reported when the build reaches it.
  const others = await Promise.all(describing.map((describe) => describe().catch(() => [])))
  return indexNotes([...own, ...others].flat())
}
