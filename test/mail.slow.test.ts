import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../src/kernel/system/clock.ts'
import { openMailFolder } from '../src/team/mail/folder.ts'
import { openSmtpMailer, type SmtpSettings } from '../src/team/mail/smtp.ts'
import { describeMailer } from './contract/mailer.contract.ts'
import { startSmtp } from './smtp-server.ts'

const settings = (port: number): SmtpSettings => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  user: undefined,
  password: undefined,
  from: 'Ken <ken@example.com>',
})

describeMailer('a server on loopback', async () => {
  const server = await startSmtp()
  return {
    open: () => openSmtpMailer(settings(server.port)),
    arrived: async () => server.mails,
    close: () => server.close(),
  }
})

describeMailer('a folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ken-mail-'))
  return {
    open: async () => openMailFolder(join(folder, 'mail'), systemClock),
    arrived: async () => {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.eml'))
      for (const name of files) expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
      return files.map((name) => readFileSync(join(folder, name), 'utf8'))
    },
    close: async () => rmSync(folder, { recursive: true }),
  }
})

const MAIL = { to: 'somebody@example.com', subject: 'Your code', text: 'It is 1234.' }

test('a refusal by a server is reported without the address and the text', async () => {
  const server = await startSmtp('no such user somebody@example.com')
  const mailer = await openSmtpMailer(settings(server.port))
  const sent = mailer.send(MAIL)
  await expect(sent).rejects.toMatchObject({ code: 'unavailable' })
  const error = await sent.catch((thrown: unknown) => thrown)
  expect(`${(error as Error).stack} ${JSON.stringify(error)}`).not.toMatch(/somebody|1234/)
  await mailer.close()
  await server.close()
})

test('a server without TLS gets no mail if TLS is required', async () => {
  const server = await startSmtp()
  const mailer = await openSmtpMailer({ ...settings(server.port), security: 'starttls' })
  await expect(mailer.send(MAIL)).rejects.toMatchObject({ code: 'unavailable' })
  expect(server.mails).toEqual([])
  await mailer.close()
  await server.close()
})

test('mail without TLS is sent only to this machine', async () => {
  await expect(openSmtpMailer({ ...settings(25), host: 'mail.example.com' })).rejects.toMatchObject({
    code: 'invalid_input',
  })
})
