/** A destination outside this process that text is sent to under the current settings. */
export interface Recipient {
  /** Role of the recipient. */
  readonly what: 'language model' | 'coding agent' | 'embedder' | 'reranker' | 'team'
  /** Name in the settings. */
  readonly name: string
  /** Host and port; undefined if the coding agent chooses the host, or the settings do not name it. */
  readonly host: string | undefined
  /** True for a loopback address: nothing leaves the machine. */
  readonly isHere: boolean
  /** The setting that names it. */
  readonly setting: string
}
