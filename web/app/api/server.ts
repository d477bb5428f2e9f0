import type { ServerSaid } from '../../../src/surfaces/http/page-files.ts'
import type { OperationName } from './call.ts'

let known: (Pick<ServerSaid, 'team'> & { readonly offers: ReadonlySet<string> | undefined }) | undefined

/** Information about the server, embedded in the page. */
function server(): NonNullable<typeof known> {
  if (known === undefined) {
    const text = document.querySelector<HTMLMetaElement>('meta[name="ken-server"]')!.content
    const { team, offers } = JSON.parse(text) as ServerSaid
    known = { team, offers: offers && new Set(offers) }
  }
  return known
}

/** True on a team server, which requires sign-in; false for Ken on the reader's own machine. */
export const isTeam = (): boolean => server().team

/** Whether an operation can be called here. */
export const isOffered = (name: OperationName): boolean => server().offers?.has(name) ?? true
