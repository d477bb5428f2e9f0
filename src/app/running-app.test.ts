import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serveApp } from '../surfaces/http/serve-app.ts'
import { announceApp, linkOfRunningApp } from './running-app.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ken-running-'))
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

test('the running app returns a link until its announcement is withdrawn', async () => {
  const app = await serveApp({
    operations: [],
    version: '0',
    port: 0,
    now: () => Date.now(),
    files: async () => undefined,
    context: () => Promise.reject(new Error('not asked')),
  })
  try {
    const takeBack = announceApp(home, app)
    const link = await linkOfRunningApp(home, '/shop')
    expect(link).toMatch(new RegExp(`^${app.url}/enter\\?code=`))
    expect(await (await fetch(link!)).text()).toContain('name="ken-to" content="/shop"')
    takeBack()
    expect(await linkOfRunningApp(home, '/shop')).toBeUndefined()
  } finally {
    await app.close()
  }
})

test('another process on the port does not get the secret and is not trusted', async () => {
  const heard: IncomingMessage[] = []
  const stranger = createServer((request, response) => {
    heard.push(request)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ code: 'come-in', proof: String(request.headers.authorization).slice(7) }))
  })
  await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening))
  try {
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
    announceApp(home, { url, secret: 'only-of-this-user' })
    expect(await linkOfRunningApp(home, '/')).toBeUndefined()
    expect(heard).toHaveLength(1)
    expect(JSON.stringify([heard[0]!.url, heard[0]!.rawHeaders])).not.toContain('only-of-this-user')
  } finally {
    stranger.close()
  }
})

test('the announcement replaces an existing link with a new private file', () => {
  writeFileSync(join(home, 'elsewhere'), 'mine', { mode: 0o644 })
  symlinkSync(join(home, 'elsewhere'), join(home, 'app.json'))
  announceApp(home, { url: 'http://127.0.0.1:1', secret: 'secret' })
  expect(readFileSync(join(home, 'elsewhere'), 'utf8')).toBe('mine')
  expect(lstatSync(join(home, 'app.json')).mode & 0o777).toBe(0o600)
})
