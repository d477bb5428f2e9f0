import { AppError } from '../../kernel/domain/errors.ts'
import { loadOptional } from '../../kernel/system/optional-package.ts'
import type { Mailer } from '../ports/mailer.ts'
import { assertOneLine } from './checked-mail.ts'

export interface SmtpSettings {
  readonly host: string
  readonly port: number
  /** `tls` from the first byte (465), `starttls` or no mail at all (587), `none` for a relay on this machine. */
  readonly security: 'tls' | 'starttls' | 'none'
  readonly user: string | undefined
  readonly password: string | undefined
  /** The sender: `Ken <ken@example.com>`. */
  readonly from: string
}

const PATIENCE_MS = 20_000
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])

/** Hands mail to an SMTP server: over TLS, or to a relay on this machine. */
export async function openSmtpMailer(settings: SmtpSettings): Promise<Mailer> {
  const { host, port, security, user, password, from } = settings
  if (security === 'none' && !LOOPBACK.has(host))
    throw new AppError('invalid_input', 'Mail without TLS is only allowed to this machine.', {
      hint: 'Use starttls or tls: these mails contain sign-in links.',
    })
  const { createTransport } = await loadOptional<typeof import('nodemailer')>('nodemailer')
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
  })
  return {
    async send(mail) {
      assertOneLine(mail)
      try {
        await transport.sendMail({ from, to: { name: '', address: mail.to }, subject: mail.subject, text: mail.text })
      } catch (error) {
        // The message repeats the server's response, which may contain the address or the text of the mail.
        const why = String((error as { code?: unknown }).code ?? 'refused').slice(0, 40)
        throw new AppError('unavailable', `The mail server rejected a mail (${why}).`, {
          hint: 'Check the mail settings of the server.',
        })
      }
    },
    close: async () => transport.close(),
  }
}
