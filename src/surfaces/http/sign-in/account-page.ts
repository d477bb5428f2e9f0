import { pageText } from '../../../kernel/domain/lone-page.ts'
import type { BrowserSession } from '../../../team/domain/browser-session.ts'
import type { Passkey } from '../../../team/domain/passkey.ts'
import type { Person } from '../../../team/domain/person.ts'
import { plainPage, saying } from '../plain-page.ts'
import { PASSKEY_SCRIPT } from './passkey-script.ts'

export interface Account {
  readonly person: Person
  readonly organisation: string
  /** Undefined if the server does not support passkeys. */
  readonly passkeys: readonly Passkey[] | undefined
  readonly sessions: readonly BrowserSession[]
  /** The current session. */
  readonly own: string
}

/** A person's sign-in methods and sessions. */
export const accountPage = ({ person, organisation, passkeys, sessions, own }: Account): Response =>
  plainPage({
    title: 'Your account',
    body: `<p><strong>${pageText(person.name)}</strong><br><span class="soft">${pageText(person.email)} · ${person.role} of ${pageText(organisation)}</span></p>
<p><a href="/">Back to Ken</a></p>
${passkeys === undefined ? '' : passkeyPart(passkeys)}
<h2>Sessions</h2>
<ul>${sessions.map((session) => `<li class="line">${pageText(session.browser ?? 'A browser')} <span class="soft">${session.id === own ? 'this one · ' : ''}used ${day(session.usedAt)}</span></li>`).join('')}</ul>
<h2>Your data</h2>
<p>Everything this server stores about you, as an archive with a README: account, access, chats, stories, memories, shared items and your audit log entries.</p>
<form method="post" action="/account/data"><button>Download my data</button></form>
<h2>Sign out</h2>
<form class="ways" method="post" action="/sign-out"><button>Sign out</button> <button name="all" value="yes">Sign out everywhere</button></form>`,
    ...(passkeys !== undefined && { script: PASSKEY_SCRIPT }),
  })

const passkeyPart = (passkeys: readonly Passkey[]): string => `<h2>Passkeys</h2>
${
  passkeys.length === 0
    ? saying('No passkeys yet. Add one to sign in without an e-mail.')
    : `<ul>${passkeys
        .map(
          ({ id, name, createdAt }) =>
            `<li><form method="post" action="/account/passkeys/remove"><input type="hidden" name="id" value="${pageText(id)}"><span>${pageText(name)}, <span class="soft">since ${day(createdAt)}</span></span> <button>Remove</button></form></li>`,
        )
        .join('')}</ul>`
}
<label>Name of the new passkey <input type="text" id="passkey-name" maxlength="100"></label>
<p><button type="button" id="add-passkey" hidden>Add a passkey</button> <span id="passkey-said" role="status"></span></p>`

const day = (at: string): string => DAY.format(new Date(at))

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
