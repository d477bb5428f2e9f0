import { createHash } from 'node:crypto'
import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import { workspaceHash } from '../kernel/domain/workspace.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { noteSource } from './domain/note/note-source.ts'
import { indexBatch } from './index-batch.ts'
import type { SharedDocuments } from './ports/shared-documents.ts'

/** A session or note shared with a project. */
export type GivenText = {
  readonly path: string
  readonly share: string | undefined
  readonly author: string
  readonly text: string
  /** Milliseconds. */
  readonly modified: number
} & ({ readonly origin: 'session' } | { readonly origin: 'note'; readonly tags: readonly string[] })

export interface SharedPlace {
  readonly project: { readonly id: string; readonly name: string }
  readonly shared: Pick<SharedDocuments, 'write'>
  /** Embedder that creates the vectors together with the words; undefined if they are created later. */
  readonly quick?: Embedder | undefined
}

/**
 * Adds texts to the memory of a project, atomically; returns how many chunks were made and how many of them have a
 * vector. Whatever the texts claim, they belong to this project and have trust `learned`.
 */
export async function indexShared(
  { project, shared, quick }: SharedPlace,
  given: readonly GivenText[],
): Promise<{ readonly chunks: number; readonly embedded: number }> {
  const texts = new Map(given.map((one) => [one.path, { ...one, kept: keptText(one, project) }]))
  let chunks = 0
  const { embedded } = await indexBatch(
    {
      quick,
      documents: {
        contents(path) {
          const text = texts.get(path)?.kept
          return text === undefined ? undefined : { text, hash: hashOf(text) }
        },
      },
      index: {
        async write(batch) {
          chunks = batch.documents.reduce((sum, document) => sum + document.chunks.length, 0)
          const rows = [...texts.values()].map((one) => ({
            path: one.path,
            share: one.share,
            author: one.author,
            hash: givenHash(one),
            text: one.kept,
          }))
          await shared.write({ texts: rows, batch })
        },
      },
    },
    [...texts.values()].map(({ path, origin, modified, kept }) => ({
      place: {
        collection: origin === 'note' ? 'memory' : 'sessions',
        path,
        origin,
        trust: 'learned',
        workspace: workspaceHash(project.id),
        project: project.id,
        size: kept.length,
        mtime: modified,
      },
      knownHash: undefined,
    })),
  )
  return { chunks, embedded }
}

/** Redacts the text again: the sender has redacted it, but an older version may have missed secrets. */
function keptText(given: GivenText, { id, name }: SharedPlace['project']): string {
  const { text } = redactSecrets(given.text)
  if (given.origin === 'session') return text
  const time = new Date(given.modified).toISOString()
  return noteSource({ time, tags: given.tags, owner: { kind: 'project', id, name }, content: text })
}

/** Hash of a text, including its tags for a note; the text is sent again if the hash changes. */
export const givenHash = (given: { readonly text: string; readonly tags?: readonly string[] }): string =>
  hashOf(`${(given.tags ?? []).join(', ')}\n${given.text}`)

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
