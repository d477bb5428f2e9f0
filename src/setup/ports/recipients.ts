/** Somebody beyond this process that text is sent to while the settings are as they are. */
export interface Recipient {
  /** What it is asked for. */
  readonly what: 'language model' | 'coding agent' | 'embedder' | 'reranker' | 'team'
  /** As the settings name it. */
  readonly name: string
  /** Host and port; undefined where a coding agent decides it itself, or the settings do not say. */
  readonly host: string | undefined
  /** It answers on the loopback address: nothing leaves the machine. */
  readonly isHere: boolean
  /** The setting that names it. */
  readonly setting: string
}
