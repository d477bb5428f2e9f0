import { pageText } from '../../../kernel/domain/lone-page.ts'
import type { Organisation } from '../../../team/domain/person.ts'
import type { Seat } from '../../../team/resolve-identity.ts'
import { plainPage, saying } from '../plain-page.ts'
import { PASSKEY_SCRIPT } from './passkey-script.ts'
import type { SignInWays } from './sign-in-options.ts'

/** The sign-in page with all of this server's methods. */
export function signInPage({ mailer, ceremonies, provider }: SignInWays, to: string): Response {
  const ways = [
    ...(provider === undefined
      ? []
      : [
          `<p><a href="/sign-in/provider?${pageText(String(new URLSearchParams({ to })))}">Sign in with ${pageText(provider.name)}</a></p>`,
        ]),
    ...(ceremonies === undefined
      ? []
      : [
          `<p><button type="button" id="passkey" data-to="${pageText(to)}" hidden>Use a passkey</button> <span id="passkey-said" role="status"></span></p>`,
        ]),
    ...(mailer === undefined
      ? []
      : [
          `<form method="post" action="/sign-in/code">${kept(to)}
<label>E-mail address <input type="email" name="email" autocomplete="username webauthn" required autofocus></label>
<p><button class="primary">Send code</button></p></form>`,
        ]),
  ]
  return plainPage({
    title: 'Sign in to Ken',
    body:
      ways.length === 0
        ? saying('No sign-in method is set up on this server yet. Ask its administrator.')
        : ways.join('\n'),
    ...(ceremonies !== undefined && { script: PASSKEY_SCRIPT }),
  })
}

/** The page is the same for every address, whether or not it exists. */
export const codePage = (to: string): Response =>
  plainPage({
    title: 'Enter the code',
    body: `${saying('If that address has access, an e-mail with an eight-digit code is on its way. The code works in this browser for ten minutes.')}
<form method="post" action="/sign-in/enter">${kept(to)}
<label>Code <input type="text" name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus></label>
<p><button class="primary">Sign in</button></p></form>
<p><a href="/sign-in?${pageText(String(new URLSearchParams({ to })))}">Use a different address</a></p>`,
  })

export interface Choice {
  readonly seats: readonly Seat[]
  readonly organisations: readonly Organisation[]
  /** The form's target; `fields` are its hidden fields. */
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

/** Lets a person with several organisations choose one; an invited person accepts, or continues without it. */
export const choicePage = ({ seats, organisations, action, fields }: Choice): Response =>
  plainPage({
    title: 'Choose an organisation',
    body: seats
      .map(
        ({ id, organisation, isInvitation }) =>
          `<form method="post" action="${action}">${Object.entries({ ...fields, as: id })
            .map(hidden)
            .join('')}
<p><button>${isInvitation ? 'Accept the invitation to ' : ''}${pageText(organisations.find((one) => one.id === organisation)?.name ?? organisation)}</button></p></form>`,
      )
      .join('\n'),
  })

/** For a server without any people. */
export const setupPage = (): Response =>
  plainPage({
    title: 'Set up this server',
    body: `${saying('Enter the code that the server printed when it started. You become its first admin.')}
<form method="post" action="/setup">
<label>Code <input type="text" name="code" autocomplete="off" required autofocus></label>
<label>Name of your organisation <input type="text" name="organisation" maxlength="200" required></label>
<label>Your name <input type="text" name="name" maxlength="200" autocomplete="name" required></label>
<label>E-mail address <input type="email" name="email" autocomplete="email" required></label>
<p><button class="primary">Set up</button></p></form>`,
  })

const kept = (to: string): string => hidden(['to', to])

const hidden = ([name, value]: readonly [string, string]): string =>
  `<input type="hidden" name="${name}" value="${pageText(value)}">`
