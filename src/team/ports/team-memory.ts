import type { StopSignal } from '../../kernel/domain/stop.ts'
import type { MemoryHit, MemoryQuestion, MemoryText } from '../../memory/ports/memory.ts'
import type { SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'

/** A question without the local part of its scope: folders and projects of this machine mean nothing on the server. */
export interface TeamQuestion extends Omit<MemoryQuestion, 'scope'> {
  readonly scope: Omit<SearchScope, 'within'>
}

/** Always untrusted, regardless of the server's answer; id and path are the team's. */
export interface TeamHit extends MemoryHit {
  /** The person who shared it. */
  readonly author: string
}

/** The shared memory of a project on a team server, as visible to the logged-in person. Throws as `TeamServer` does. */
export interface TeamMemory {
  /** Best first, at most the requested number. The text is sent over the network unchanged. */
  search(question: TeamQuestion, signal: StopSignal): Promise<readonly TeamHit[]>
  /** Finds a text by the id or path of a hit, optionally followed by lines; undefined if it no longer exists. */
  read(
    name: string,
    part: { readonly from?: number | undefined; readonly lines?: number | undefined },
  ): Promise<MemoryText | undefined>
}
