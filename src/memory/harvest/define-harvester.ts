import { join } from 'node:path'
import { isFolder } from '../../kernel/system/list-folder.ts'
import type { Harvester } from '../ports/harvester.ts'

export interface HarvesterDefinition<C extends string> {
  /** The client's name in harvest.clients, in paths and in frontmatter. */
  readonly client: C
  /** Folders that may contain the client's logs, relative to the user's home, with forward slashes. */
  readonly places: readonly string[]
  /** Entry in such a folder that proves there are sessions, if the folder alone does not. */
  readonly sign?: string
  readonly read: Harvester['read']
}

/** Defines a harvester; one line in HARVESTERS of app/providers.ts registers it. */
export function defineHarvester<const C extends string>(
  definition: HarvesterDefinition<C>,
): Harvester & { readonly client: C } {
  const { client, places, sign = '', read } = definition
  return {
    client,
    async roots(home) {
      const found = await Promise.all(places.map((place) => isFolder(join(home, place, sign))))
      return places.filter((_, at) => found[at]).map((place) => join(home, place))
    },
    read,
  }
}
