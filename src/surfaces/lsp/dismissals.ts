import { z } from 'zod'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'
import { openBoundedFolder } from '../../kernel/system/bounded-folder.ts'

/** A finding that a person dismissed at one line of one file. */
export interface Dismissed {
  /** The decision's file name without `.md`. */
  readonly decision: string
  /** Path relative to the root of the repository. */
  readonly file: string
  /** The line without indentation; empty for the whole file. */
  readonly line: string
}

/** A decision that is silenced in a folder. */
export interface Silenced {
  readonly decision: string
  /** Path from the repository root; empty for the root. */
  readonly folder: string
}

/** Dismissals from editors, stored next to the decisions and shared with them. */
export interface Dismissals {
  isDismissed(finding: Dismissed): boolean
  dismiss(finding: Dismissed): void
  silence(decision: Silenced): void
}

const FILE = 'editor.json'
const LARGEST = 1024 * 1024
const text = z.string().max(4_096)
const shape = z.object({
  dismissed: z.array(z.object({ decision: text, file: text, line: text })).max(10_000),
  silenced: z.array(z.object({ decision: text, folder: text })).max(10_000),
})
type Kept = z.output<typeof shape>

/** Read again at each use: another editor, or git, may have changed it. */
export function openDismissals(record: string): Dismissals {
  const folder = openBoundedFolder(record)
  let known: { readonly bytes: string; readonly kept: Kept } | undefined

  function read(): Kept {
    const bytes = folder.read(FILE, LARGEST)?.toString('utf8') ?? ''
    if (known?.bytes !== bytes) known = { bytes, kept: parse(bytes) }
    return known.kept
  }

  function write(kept: Kept): void {
    // One entry per line, sorted, so that git merges the dismissals of two people.
    const lines = (entries: readonly object[]) =>
      [...new Set(entries.map((entry) => JSON.stringify(entry)))].sort().map((line) => `    ${line}`)
    const parts = [kept.dismissed, kept.silenced].map((entries) =>
      entries.length === 0 ? '[]' : `[\n${lines(entries).join(',\n')}\n  ]`,
    )
    writeAtomically(folder.locate(FILE), `{\n  "dismissed": ${parts[0]},\n  "silenced": ${parts[1]}\n}\n`)
  }

  return {
    isDismissed({ decision, file, line }) {
      const { dismissed, silenced } = readOr(read)
      return (
        dismissed.some((each) => each.decision === decision && each.file === file && each.line === line) ||
        silenced.some((each) => each.decision === decision && isBelow(each.folder, file))
      )
    },
    dismiss: (finding) => write({ ...read(), dismissed: [...read().dismissed, finding] }),
    silence: (decision) => write({ ...read(), silenced: [...read().silenced, decision] }),
  }
}

const NOTHING: Kept = { dismissed: [], silenced: [] }

function parse(bytes: string): Kept {
  return bytes === '' ? NOTHING : shape.parse(JSON.parse(bytes))
}

/** A file that cannot be read dismisses nothing; writing to it throws instead of replacing it. */
function readOr(read: () => Kept): Kept {
  try {
    return read()
  } catch {
    return NOTHING
  }
}

const isBelow = (folder: string, file: string): boolean => folder === '' || file.startsWith(`${folder}/`)
