import { pageText } from '../../../kernel/domain/lone-page.ts'
import type { OAuthClient } from '../../../team/domain/oauth/oauth-client.ts'
import { redirectHost, redirectKind } from '../../../team/domain/oauth/redirect-uri.ts'
import { SCOPES, type Scope } from '../../../team/domain/oauth/scopes.ts'
import { plainPage, saying } from '../plain-page.ts'
import type { SignedInPerson } from './oauth-options.ts'

export interface Consent {
  readonly person: SignedInPerson
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  /** The request being answered, and its seal. */
  readonly request: string
  readonly seal: string
}

/** Asks a person for consent: which client, the redirect target, the permissions and the projects. */
export function consentPage({ person, client, redirectUri, scopes, request, seal }: Consent): Response {
  const [kind, host] = [redirectKind(redirectUri), redirectHost(redirectUri)]
  const place = { loopback: 'a program on this machine', web: `the site ${host}`, app: `the app ${host}` }[kind!]
  return plainPage({
    title: 'Allow access to Ken?',
    formLeadsTo: formTarget(redirectUri),
    body: `<p><strong>${pageText(client.name)}</strong> wants to use Ken as <strong>${pageText(person.name)}</strong>.</p>
${saying(whoIsIt(client))}
<p>You will be sent to ${pageText(place)}: <code>${pageText(redirectUri)}</code></p>
${kind === 'loopback' ? '<p class="warning">Any program on this machine can listen on that address. Continue only if you started this login yourself.</p>' : ''}
<form method="post" action="/oauth/authorize">
<input type="hidden" name="request" value="${pageText(request)}">
<input type="hidden" name="seal" value="${pageText(seal)}">
${choices(scopes, person)}
${BUTTONS}
</form>`,
  })
}

/** The permissions and projects; the person deselects those they do not want to grant. */
export const choices = (scopes: readonly Scope[], { projects }: SignedInPerson): string =>
  `<fieldset><legend>Permissions</legend>${scopes.map((scope) => box('scope', scope, SCOPES[scope], true)).join('')}</fieldset>
<fieldset><legend>Projects</legend>${projects.map(({ id, name }) => box('project', id, name, projects.length === 1)).join('')}</fieldset>`

// Enter presses the first button.
export const BUTTONS =
  '<p class="ways"><button name="decision" value="deny">Deny</button> <button class="primary" name="decision" value="allow">Allow</button></p>'

const box = (name: string, value: string, label: string, isOn: boolean): string =>
  `<label><input type="checkbox" name="${name}" value="${pageText(value)}"${isOn ? ' checked' : ''}> ${pageText(label)}</label>`

const whoIsIt = (client: OAuthClient): string =>
  ({
    'built in': 'This is Ken’s own command line.',
    'by document': `Described at ${client.id}. The name is not verified.`,
    registered: 'It registered itself. The name is not verified.',
  })[client.known]

/** Form target for a content security policy, in which an IPv6 address cannot be expressed. */
function formTarget(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  return protocol !== 'http:' && protocol !== 'https:'
    ? protocol
    : host.startsWith('[')
      ? 'http:'
      : `${protocol}//${host}`
}
