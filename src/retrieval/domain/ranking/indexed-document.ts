/** Possible origins of a hit. */
export const ORIGINS = ['decision', 'question', 'note', 'session', 'context', 'code', 'document'] as const
export type DocumentOrigin = (typeof ORIGINS)[number]

/** approved: by a person; compiled: from a source; learned: from a trace; untrusted: third-party text. */
export type Trust = 'approved' | 'compiled' | 'learned' | 'untrusted'

/** State of a file when it was last read; equal stamps mean that it need not be read again. */
export interface FileStamp {
  readonly size: number
  /** Milliseconds, with the fraction that the file system reports. */
  readonly mtime: number
}

/** A document in the index; its text stays in the file. */
export interface DocumentFacts extends FileStamp {
  readonly collection: string
  /** Absolute; unique in a collection, or once for each `entry`. */
  readonly path: string
  /** Name of the part of the file that the document consists of, unique in the file; undefined for the whole file. */
  readonly entry?: string | undefined
  readonly title: string
  readonly origin: DocumentOrigin
  readonly trust: Trust
  /** The document's workspace, or `global`. */
  readonly workspace: string
  /** Id of the project whose record contains the document. */
  readonly project: string | undefined
  readonly tags: readonly string[]
  /** The document's own date, or else the time its file was changed; milliseconds. */
  readonly modified: number
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
  /** Undefined while the document is current. */
  readonly superseded: Superseded | undefined
}

/** How a document was superseded. */
export interface Superseded {
  /** The document's own term: superseded, rejected, deprecated, stale … */
  readonly as: string
  /** The replacement as stated in the document: a number, a file, a link. */
  readonly by: string | undefined
}

export interface ChunkFacts {
  readonly startLine: number
  readonly endLine: number
  readonly heading: string
  /** Number of tokens, including title and heading. */
  readonly length: number
}

/** The documents to search. An absent field does not narrow; several fields must all match. */
export interface SearchScope {
  /** Documents of these workspaces (`global` only if listed) or of these projects. */
  readonly within?: { readonly workspaces: readonly string[]; readonly projects: readonly string[] } | undefined
  readonly collections?: readonly string[] | undefined
  readonly origins?: readonly DocumentOrigin[] | undefined
  /** All tags must match, ignoring case. */
  readonly tags?: readonly string[] | undefined
  /** Milliseconds, inclusive. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

type Scoped = Pick<DocumentFacts, 'collection' | 'origin' | 'workspace' | 'project' | 'tags' | 'modified'>

/** The only place that applies a scope; every search path calls it before it ranks. */
export function scopeFilter(scope: SearchScope): (document: Scoped) => boolean {
  const { within, since = -Infinity, until = Infinity } = scope
  const workspaces = within && new Set(within.workspaces)
  const projects = within && new Set(within.projects)
  const collections = scope.collections && new Set(scope.collections)
  const origins = scope.origins && new Set<string>(scope.origins)
  const tags = scope.tags?.map((tag) => tag.toLowerCase())
  return (document) => {
    if (
      workspaces &&
      !workspaces.has(document.workspace) &&
      !(document.project !== undefined && projects!.has(document.project))
    )
      return false
    if (collections && !collections.has(document.collection)) return false
    if (origins && !origins.has(document.origin)) return false
    if (document.modified < since || document.modified > until) return false
    if (tags === undefined || tags.length === 0) return true
    const own = new Set(document.tags.map((tag) => tag.toLowerCase()))
    return tags.every((tag) => own.has(tag))
  }
}
