import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../kernel/ports/clock.ts'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'
import type { Mailer } from '../ports/mailer.ts'
import { assertOneLine } from './checked-mail.ts'

/** Writes each mail to a file readable only by its owner: for a server without mail. */
export function openMailFolder(folder: string, clock: Clock): Mailer {
  return {
    async send(mail) {
      assertOneLine(mail)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const text = `To: ${mail.to}\nSubject: ${mail.subject}\nDate: ${clock.now().toISOString()}\n\n${mail.text}`
      writeAtomically(join(folder, `${clock.ulid()}.eml`), text, 0o600)
    },
    close: async () => undefined,
  }
}
