/** Where a hit comes from. */
export const ORIGINS = ['decision', 'question', 'note', 'session', 'context', 'code', 'document'] as const
export type DocumentOrigin = (typeof ORIGINS)[number]

/** approved: a person did; compiled: from a source; learned: from a trace; untrusted: third-party text. */
export type Trust = 'approved' | 'compiled' | 'learned' | 'untrusted'

/** How a file stood when it was last read; equal stamps mean that it need not be read again. */
export interface FileStamp {
  readonly size: number
  /** Milliseconds, with the fraction the file system gives. */
  readonly mtime: number
}

/** A document as the index keeps it; its text stays in the file. */
export interface DocumentFacts extends FileStamp {
  readonly collection: string
  /** Absolute; a collection has a path once, or once for each `entry`. */
  readonly path: string
  /** The part of the file that the document is, by a name that is unique in it; undefined for the file itself. */
  readonly entry?: string | undefined
  readonly title: string
  readonly origin: DocumentOrigin
  readonly trust: Trust
  /** The workspace it belongs to, or `global`. */
  readonly workspace: string
  /** The id of the project whose record it is part of. */
  readonly project: string | undefined
  readonly tags: readonly string[]
  /** What the document says of itself, or else when its file was changed; milliseconds. */
  readonly modified: number
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
  /** Undefined while it holds. */
  readonly laidAside: LaidAside | undefined
}

/** How a document ceased to hold. */
export interface LaidAside {
  /** In its own word: superseded, rejected, deprecated, stale … */
  readonly as: string
  /** What replaced it, as it says so itself: a number, a file, a link. */
  readonly by: string | undefined
}

export interface ChunkFacts {
  readonly startLine: number
  readonly endLine: number
  readonly heading: string
  /** How many tokens it has, title and heading included. */
  readonly length: number
}

/** Which documents a question is about. An absent field does not narrow; several given ones must all hold. */
export interface SearchScope {
  /** Documents of these workspaces (`global` is one only when named) or of these projects. */
  readonly within?: { readonly workspaces: readonly string[]; readonly projects: readonly string[] } | undefined
  readonly collections?: readonly string[] | undefined
  readonly origins?: readonly DocumentOrigin[] | undefined
  /** All of them, whatever their case. */
  readonly tags?: readonly string[] | undefined
  /** Milliseconds, both included. */
  readonly since?: number | undefined
  readonly until?: number | undefined
}

type Scoped = Pick<DocumentFacts, 'collection' | 'origin' | 'workspace' | 'project' | 'tags' | 'modified'>

/** The one place that decides what a scope lets through; every search path asks it before it ranks. */
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
