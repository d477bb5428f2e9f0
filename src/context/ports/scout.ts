/** What lies somewhere. */
export interface Seen {
  readonly is: 'file' | 'folder'
  /** Links followed. */
  readonly place: string
  readonly bytes: number
  /** How a file begins, a character for each of its first bytes. */
  readonly head: string
  /** What lies directly in a folder. */
  readonly names: readonly string[]
}

/** Looks at what could become a source. It opens no database, and goes nowhere. */
export interface Scout {
  /** Undefined when there is nothing of that name, or nothing that can be read. Links are followed. */
  look(path: string): Promise<Seen | undefined>
  /** Files and folders directly in a folder; where a link leads is told and not looked at. */
  entries(folder: string): Promise<readonly FoundName[]>
  /** The text of a plain file; undefined when there is none, or it is longer. */
  text(path: string, most: number): Promise<string | undefined>
  /** What stands in its folder that a name was probably meant for. */
  near(path: string): Promise<string | undefined>
  /** A variable of the environment that Ken was started in. */
  variable(name: string): string | undefined
  variableNames(): readonly string[]
}

export interface FoundName {
  readonly name: string
  readonly is: 'file' | 'folder' | 'link'
  /** Where a link leads, links followed. */
  readonly leadsTo?: string | undefined
}
