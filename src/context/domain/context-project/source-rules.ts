import { z } from 'zod'

/**
 * One thing that an entry of ken.yaml accesses. An empty list means that it accesses nothing, not even a project file.
 */
export type Reached =
  /** A path, and the action if it does not exist yet; a path inside the project needs no trust. */
  | { readonly opens: string; readonly unless?: string }
  /** An address, and the program that fetches it if not Ken itself. */
  | { readonly fetches: string; readonly with?: string }
  /** A server, and all fields that determine the connection. */
  | { readonly uses: string; readonly fields: Readonly<Record<string, unknown>> }
  /** A program and its arguments, run without a shell. */
  | { readonly runs: readonly string[] }
  /** A named value passed to the program or sent to the address. */
  | { readonly gives: 'variable' | 'header'; readonly field: string; readonly value: string }
  /** A recipient of data, and the data it gets. */
  | { readonly tells: string }

/** Path or address given by a person to add a source. */
export interface Pointed {
  /** The path or address as written in ken.yaml. */
  readonly where: string
  readonly is: 'address' | 'file' | 'folder'
  /** The beginning of a file, one character per byte. */
  readonly head: string
  /** Direct entries of a folder. */
  readonly names: readonly string[]
}

export interface Recognised<Entry = unknown> {
  /** Confidence: the most certain kind wins; if several are equal, the first. */
  readonly fit: 'certain' | 'likely' | 'possible'
  /** The recognised fields of the entry, without its name. */
  readonly entry: Partial<Entry>
}

/** The parts of a source kind that ken.yaml, trust and redaction need. Pure: opens nothing. */
export interface SourceRules<Entry = unknown> {
  /** Its key in ken.yaml, e.g. `repositories`. */
  readonly key: string
  /** Name of one entry, e.g. `repository` for `repository/web`. */
  readonly kind: string
  /** Whether ken.yaml has one unnamed entry, or a list of named ones. */
  readonly entries: 'one' | 'list' | 'list or one'
  /** The fields of one entry. */
  readonly config: z.ZodType<Entry>
  /** Secret fields besides those with secret names. */
  readonly secrets: readonly string[]
  /** Also called for an entry with unresolved references to the environment. */
  reach(entry: Entry): readonly Reached[]
  /** Recognises a source for `ken source add`. Without this, the kind can still be added by its name. */
  recognise?(pointed: Pointed): Recognised<Entry> | undefined
}

/** The parts of a database kind that ken.yaml, trust and redaction need. */
export interface WarehouseRules<Connection = unknown> {
  /** Its name in ken.yaml. */
  readonly type: string
  /** Display name. */
  readonly label: string
  /**
   * For trust. `file`: it opens only the file in `path`. `server`: its fields determine what it connects to, so all of
   * them are shown to the user.
   */
  readonly place: 'file' | 'server'
  /** The fields of a ken.yaml entry besides name, type and what to sync. */
  readonly connection: z.ZodType<Connection>
  readonly secrets: readonly string[]
  /** Like `SourceRules.recognise`. */
  recognise?(pointed: Pointed): Recognised<Connection> | undefined
}

/** Every kind of source and database. Other kinds are rejected. */
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
  params: { hint: 'Use url for a remote source, path for a local folder.' },
}

/** The names of a schema's fields. */
export const fieldsOf = (schema: z.ZodType): readonly string[] =>
  Object.keys(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).properties ?? {})
