import type { ServerSaid } from '../../../src/surfaces/http/page-files.ts'
import type { OperationName } from './call.ts'

let known: (Pick<ServerSaid, 'team'> & { readonly offers: ReadonlySet<string> | undefined }) | undefined

/** What the page was told of the server it comes from. */
function server(): NonNullable<typeof known> {
  if (known === undefined) {
    const text = document.querySelector<HTMLMetaElement>('meta[name="ken-server"]')!.content
    const { team, offers } = JSON.parse(text) as ServerSaid
    known = { team, offers: offers && new Set(offers) }
  }
  return known
}

/** A team's server, where somebody signs in; otherwise Ken on the reader's own machine. */
export const isTeam = (): boolean => server().team

/** Whether an operation can be called here. */
export const isOffered = (name: OperationName): boolean => server().offers?.has(name) ?? true
