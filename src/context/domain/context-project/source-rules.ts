import { z } from 'zod'

/**
 * One thing that an entry of ken.yaml reaches. An empty list says that it reaches nothing, not even a file of its
 * project.
 */
export type Reached =
  /** A path, and what to do where it is not there yet; one inside the project needs no trust. */
  | { readonly opens: string; readonly unless?: string }
  /** An address, and what fetches it where that is not Ken itself. */
  | { readonly fetches: string; readonly with?: string }
  /** A server, and all the fields that decide which one and how. */
  | { readonly uses: string; readonly fields: Readonly<Record<string, unknown>> }
  /** A program and its words; no shell reads them. */
  | { readonly runs: readonly string[] }
  /** What such a program, or an address, is given by name. */
  | { readonly gives: 'variable' | 'header'; readonly field: string; readonly value: string }
  /** Whom it tells something, and what. */
  | { readonly tells: string }

/** What a person points at who adds a source. */
export interface Pointed {
  /** As ken.yaml would write it. */
  readonly where: string
  readonly is: 'address' | 'file' | 'folder'
  /** How a file begins, a character for each of its first bytes. */
  readonly head: string
  /** What lies directly in a folder. */
  readonly names: readonly string[]
}

export interface Recognised<Entry = unknown> {
  /** How sure it is: what several kinds know is taken by the surest, and by the first of those. */
  readonly fit: 'certain' | 'likely' | 'possible'
  /** What an entry for it would say; its name, and what cannot be seen, are left out. */
  readonly entry: Partial<Entry>
}

/** What ken.yaml, trust and redaction must know of a kind of source. Pure: nothing of it opens anything. */
export interface SourceRules<Entry = unknown> {
  /** Its key in ken.yaml, e.g. `repositories`. */
  readonly key: string
  /** What one entry is called, e.g. `repository` for `repository/web`. */
  readonly kind: string
  /** Whether ken.yaml holds one entry without a name, or a list of entries with names. */
  readonly entries: 'one' | 'list' | 'list or one'
  /** The fields of one entry. */
  readonly config: z.ZodType<Entry>
  /** Fields that hold a secret, beside those whose names say so. */
  readonly secrets: readonly string[]
  /** Also called for an entry whose references to the environment are not filled. */
  reach(entry: Entry): readonly Reached[]
  /** For `ken source add`, where a thing shows what it is. Every kind can be added by its name without this. */
  recognise?(pointed: Pointed): Recognised<Entry> | undefined
}

/** The same of a kind of database. */
export interface WarehouseRules<Connection = unknown> {
  /** What ken.yaml calls it. */
  readonly type: string
  /** What people call it. */
  readonly label: string
  /**
   * What trust must know. `file`: it opens what `path` names and nothing else. `server`: it goes where its fields say,
   * so every one of them is shown to the user.
   */
  readonly place: 'file' | 'server'
  /** The fields of an entry in ken.yaml that are not its name, its type or what to sync. */
  readonly connection: z.ZodType<Connection>
  readonly secrets: readonly string[]
  /** As for a source. */
  recognise?(pointed: Pointed): Recognised<Connection> | undefined
}

/** Every kind of source and database there is. What is not here is refused. */
export interface ContextRules {
  readonly sources: readonly SourceRules[]
  readonly warehouses: readonly WarehouseRules[]
}

export const entryName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/, 'a name is letters, digits, dots, dashes and underscores')

export const globs = z.array(z.string().min(1).max(500)).max(1_000).default([])

/** For entries that are fetched from an address or copied from a folder. */
export const urlOrPath = (entry: { readonly url?: string | undefined; readonly path?: string | undefined }): boolean =>
  (entry.url === undefined) !== (entry.path === undefined)

export const URL_OR_PATH = {
  error: 'give either url or path',
  params: { hint: 'url for something fetched, path for a folder on this machine.' },
}

/** The names of the fields that a schema knows. */
export const fieldsOf = (schema: z.ZodType): readonly string[] =>
  Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {})
