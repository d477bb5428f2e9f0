import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { MemoryHit, MemoryQuestion, MemoryText } from '../../memory/ports/memory.ts'
import type { SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'

/** What a scope of this machine leaves of itself elsewhere: folders and projects here mean nothing there. */
export interface TeamQuestion extends Omit<MemoryQuestion, 'scope'> {
  readonly scope: Omit<SearchScope, 'within'>
}

/** Untrusted, whatever the server says of it; id and path are as the team calls it. */
export interface TeamHit extends MemoryHit {
  /** Who gave it. */
  readonly author: string
}

/**
 * What the people of a project gave to its memory on a team's server, as the person finds it who is logged in there.
 * Throws as `TeamServer` does.
 */
export interface TeamMemory {
  /** Best first, at most as many as were asked for. The text goes over the network as it is. */
  search(question: TeamQuestion, signal: StopSignal): Promise<readonly TeamHit[]>
  /** By the id or path of a hit, perhaps with lines behind it; undefined when it is not there any more. */
  read(
    name: string,
    part: { readonly from?: number | undefined; readonly lines?: number | undefined },
  ): Promise<MemoryText | undefined>
}
