/** What is left of a session that was given up: enough to know it again, nothing of what was said. */
export interface Tombstone {
  readonly client: string
  readonly session: string
  /** `evicted`: over a limit; `forgotten`: a person wanted it gone. */
  readonly why: 'evicted' | 'forgotten'
  /** When the conversation ended as far as it was known, ISO 8601. */
  readonly ended: string
  readonly at: string
}

/**
 * An evicted session returns when the conversation went on since. A forgotten one never does: it would be told whole
 * again.
 */
export function staysBuried(tombstone: Tombstone, endedAt: string): boolean {
  return tombstone.why === 'forgotten' || Date.parse(endedAt) <= Date.parse(tombstone.ended)
}
