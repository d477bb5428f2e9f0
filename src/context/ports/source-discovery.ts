/** File or folder at a path. */
export interface Seen {
  readonly is: 'file' | 'folder'
  /** Links are resolved. */
  readonly place: string
  readonly bytes: number
  /** Beginning of a file, one character per byte. */
  readonly head: string
  /** Names directly in a folder. */
  readonly names: readonly string[]
}

/** Inspects potential sources. Opens no database and uses no network. */
export interface SourceDiscovery {
  /** Undefined if it does not exist or cannot be read. Links are followed. */
  look(path: string): Promise<Seen | undefined>
  /** Files and folders directly in a folder; the target of a link is named but not inspected. */
  entries(folder: string): Promise<readonly FoundName[]>
  /** Text of a plain file; undefined if missing or longer. */
  text(path: string, most: number): Promise<string | undefined>
  /** Similar name in its folder that was probably meant. */
  near(path: string): Promise<string | undefined>
  /** Variable of the environment that Ken was started in. */
  variable(name: string): string | undefined
  variableNames(): readonly string[]
}

export interface FoundName {
  readonly name: string
  readonly is: 'file' | 'folder' | 'link'
  /** Target of a link, fully resolved. */
  readonly leadsTo?: string | undefined
}
