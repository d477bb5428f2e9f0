import { documentLives, isClientIdUrl, looksLikeUrl } from '../../../team/domain/oauth/client-id-url.ts'
import { COMMAND_LINE, readClientDocument, type OAuthClient } from '../../../team/domain/oauth/oauth-client.ts'
import { refusal } from '../../../team/domain/oauth/oauth-refusal.ts'
import type { ClientDocuments } from '../../../team/ports/client-documents.ts'
import { keepWithin } from './keep-within.ts'
import type { OAuthOptions } from './oauth-options.ts'

export interface KnownClients {
  /** Only for a signed-in person: strangers must not make the server send requests. */
  find(id: string, person: string): Promise<OAuthClient>
}

const MOST_KEPT = 200
const TRIES = { most: 30, minutes: 10 }

/** Built-in clients, registered ones, and clients with a document URL as id; documents are cached for a while. */
export function openKnownClients({
  store,
  documents,
  clock,
}: Pick<OAuthOptions, 'store' | 'documents' | 'clock'>): KnownClients {
  const kept = new Map<string, { readonly client: OAuthClient; readonly until: number }>()
  const underWay = new Map<string, Promise<OAuthClient>>()
  const learn = async (id: string, from: ClientDocuments): Promise<OAuthClient> => {
    const { text, cacheControl } = await from.fetch(id)
    const client = readClientDocument(text, id)
    while (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!)
    kept.set(id, { client, until: clock.now().getTime() + documentLives(cacheControl) * 1_000 })
    return client
  }
  return {
    async find(id, person) {
      if (id === COMMAND_LINE.id) return COMMAND_LINE
      if (!looksLikeUrl(id)) {
        const client = await store.clients.find(id)
        if (client === undefined) throw refusal('invalid_client', 'Unknown client.')
        return client
      }
      if (documents === undefined || !isClientIdUrl(id))
        throw refusal('invalid_client', 'The client id is not the URL of a document that can be fetched.')
      const held = kept.get(id)
      if (held !== undefined && held.until > clock.now().getTime()) return held.client
      kept.delete(id)
      await keepWithin({ store, clock }, `document ${person}`, TRIES)
      const asked = underWay.get(id) ?? learn(id, documents).finally(() => underWay.delete(id))
      underWay.set(id, asked)
      return asked
    },
  }
}
