import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { safeSegment } from '../../../core/context-project/safe-segment.ts'
import { AppError } from '../../../core/errors.ts'
import { readDbtManifest, type DbtDocument } from '../../../core/sources/dbt-manifest.ts'
import { dbtNotes } from '../../../core/sources/dbt-notes.ts'
import type { TableNote } from '../../../core/sources/table-notes.ts'
import type { Source } from '../../../ports/source.ts'

const LARGEST = 256 * 1024 * 1024

/** A dbt project, through the manifest that dbt writes when it parses, compiles or runs. */
export function openDbtSource({ manifest, target }: { readonly manifest: string; readonly target: string }): Source {
  const folder = dirname(dirname(manifest))
  const documents = new Map<string, DbtDocument>()
  return {
    async list() {
      const text = await readManifest(manifest)
      const read = readDbtManifest(jsonOf(text))
      if (read === undefined)
        throw new AppError('damaged', `target/manifest.json in ${folder} is not a dbt manifest.`, {
          hint: 'Run `dbt parse` again.',
        })
      for (const document of read.documents) documents.set(document.id, document)
      const items = read.documents.map(({ id, title, folder: kind, fingerprint }) => ({
        id,
        title,
        path: `${target}/${kind}/${safeSegment(title)}.md`,
        fingerprint,
        maxAgeDays: undefined,
      }))
      const skipped =
        read.skipped === 0 ? [] : [{ title: 'manifest.json', reason: `${read.skipped} entries cannot be read` }]
      return { items, skipped }
    },
    async fetch(item) {
      const document = documents.get(item.id)
      if (document === undefined) throw new AppError('not_found', `the manifest has no ${item.title}`)
      return { documents: [{ name: '', text: document.text, framed: true }], table: undefined }
    },
    close: async () => undefined,
  }
}

/** What the project documents about the tables it makes and reads. */
export const readDbtNotes = async (manifest: string): Promise<readonly TableNote[]> =>
  dbtNotes(jsonOf(await readManifest(manifest)))

async function readManifest(manifest: string): Promise<string> {
  const folder = dirname(dirname(manifest))
  const size = (await stat(manifest).catch(() => undefined))?.size ?? 0
  if (size > LARGEST)
    throw new AppError('unavailable', `target/manifest.json in ${folder} is larger than 256 MB.`, {
      hint: 'Give Ken a dbt project with fewer models.',
    })
  const text = await readFile(manifest, 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new AppError('unavailable', `${folder} has no target/manifest.json.`, {
      hint: 'Run `dbt parse` in the dbt project.',
    })
  return text
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
