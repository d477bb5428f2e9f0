import { AppError } from '../../kernel/domain/errors.ts'
import type { Clock } from '../../kernel/ports/clock.ts'
import { optionalPackages } from '../../kernel/system/optional-package.ts'
import type { SignInWays } from '../../surfaces/http/sign-in/sign-in-options.ts'
import { openIdentityProvider } from '../../team/adapters/openid-client-identity-provider.ts'
import { openPasskeyCeremonies } from '../../team/adapters/simplewebauthn-passkeys.ts'
import { openMailFolder } from '../../team/mail/folder.ts'
import { openSmtpMailer } from '../../team/mail/smtp.ts'
import type { Environment } from '../settings.ts'

/** Sign-in options of people, from the server's environment. */
export async function openSignInWays(
  environment: Environment,
  { publicUrl, clock }: { readonly publicUrl: string; readonly clock: Clock },
): Promise<SignInWays> {
  const hasPasskeys = optionalPackages().some(
    ({ name, version }) => name === '@simplewebauthn/server' && version !== undefined,
  )
  return {
    mailer: await openMailer(environment, clock),
    ceremonies: hasPasskeys ? await openPasskeyCeremonies(publicUrl) : undefined,
    provider: await openProvider(environment, publicUrl),
  }
}

export async function openMailer(environment: Environment, clock: Clock): Promise<SignInWays['mailer']> {
  const [address, folder] = [said(environment, 'KEN_SMTP_URL'), said(environment, 'KEN_MAIL_FOLDER')]
  if (address === undefined) return folder === undefined ? undefined : openMailFolder(folder, clock)
  const from = said(environment, 'KEN_MAIL_FROM')
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    // The value is not repeated: it contains a password.
    throw new AppError('invalid_input', 'KEN_SMTP_URL must look like smtps://user:password@mail.example.com:465.')
  if (from === undefined)
    throw new AppError('invalid_input', 'KEN_MAIL_FROM is not set.', {
      hint: 'Set the sender address, e.g. Ken <ken@example.com>.',
    })
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  const security = url.protocol === 'smtps:' ? 'tls' : isLocal ? 'none' : 'starttls'
  return openSmtpMailer({
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: url.port === '' ? { tls: 465, starttls: 587, none: 25 }[security] : Number(url.port),
    security,
    user: url.username === '' ? undefined : decodeURIComponent(url.username),
    password: url.password === '' ? undefined : decodeURIComponent(url.password),
    from,
  })
}

async function openProvider(environment: Environment, publicUrl: string): Promise<SignInWays['provider']> {
  const issuer = said(environment, 'KEN_OIDC_ISSUER')
  if (issuer === undefined) return undefined
  const needed = (name: string): string => {
    const value = said(environment, name)
    if (value === undefined)
      throw new AppError('invalid_input', `${name} is not set.`, { hint: 'KEN_OIDC_ISSUER requires it.' })
    return value
  }
  return openIdentityProvider({
    name: said(environment, 'KEN_OIDC_NAME') ?? new URL(issuer).hostname,
    issuer,
    clientId: needed('KEN_OIDC_CLIENT_ID'),
    clientSecret: needed('KEN_OIDC_CLIENT_SECRET'),
    redirectUri: `${publicUrl}/sign-in/back`,
    domains: needed('KEN_OIDC_DOMAINS').split(','),
  })
}

const said = (environment: Environment, name: string): string | undefined => environment[name]?.trim() || undefined
