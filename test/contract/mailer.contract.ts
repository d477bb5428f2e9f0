import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Mailer } from '../../src/team/ports/mailer.ts'

export interface MailerSubject {
  open(): Promise<Mailer>
  /** The mails as received. */
  arrived(): Promise<readonly string[]>
  close(): Promise<void>
}

export function describeMailer(name: string, start: () => Promise<MailerSubject>): void {
  describe(`mail: ${name}`, () => {
    let subject: MailerSubject
    let mailer: Mailer
    beforeEach(async () => {
      subject = await start()
      mailer = await subject.open()
    })
    afterEach(async () => {
      await mailer.close()
      await subject.close()
    })

    test('a mail arrives with its address, subject and text', async () => {
      await mailer.send({ to: 'a@example.com', subject: 'Your code', text: 'It is 1234.\n' })
      const [mail, ...more] = await subject.arrived()
      expect(more).toEqual([])
      expect(mail).toMatch(/^To: a@example\.com\r?$/m)
      expect(mail).toMatch(/^Subject: Your code\r?$/m)
      expect(mail).toContain('It is 1234.')
    })

    test.each([
      ['an address', { to: 'a@example.com\nBcc: b@example.com', subject: 'x' }],
      ['a subject', { to: 'a@example.com', subject: 'x\r\nBcc: b@example.com' }],
    ])('%s that would start another header is refused', async (_what, mail) => {
      await expect(mailer.send({ ...mail, text: '' })).rejects.toMatchObject({ code: 'invalid_input' })
      expect(await subject.arrived()).toEqual([])
    })
  })
}
