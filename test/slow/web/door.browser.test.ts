import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumMissing, launchChromium } from '../chromium.ts'
import { openAppDesk, type AppDesk } from './app-desk.ts'

const missing = chromiumMissing()
if (missing) console.warn(`Skipped: ${missing}.`)

describe.skipIf(missing)('a page that Ken did not open', () => {
  let desk: AppDesk
  let stranger: Server
  let elsewhere: string
  const cookiesSeen: string[] = []

  beforeAll(async () => {
    desk = await openAppDesk()
    stranger = createServer((request, response) => {
      cookiesSeen.push(request.headers.cookie ?? '')
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Another site</title><h1>Hello</h1>')
    })
    await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening))
    elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
  })

  afterAll(async () => {
    await desk?.close()
    stranger?.close()
  })

  const decisions = async (): Promise<number> => (await desk.run('list_decisions')).decisions.length

  /** Runs `act` on another page of the same browser, so that every existing cookie would be sent. */
  async function onStrangersPage<T>(address: string, act: (url: string) => Promise<T>): Promise<T> {
    const page = await desk.page.context().newPage()
    try {
      await page.goto(address)
      return await page.evaluate(act, desk.url)
    } finally {
      await page.close()
    }
  }

  test('a page on another port of this machine gets the cookie, but cannot use it', async () => {
    const before = await decisions()
    const answers = await onStrangersPage(elsewhere, async (url) => {
      const body = JSON.stringify({ title: 'From elsewhere', rationale: 'A page of another origin wrote this.' })
      const attempts: RequestInit[] = [
        { method: 'POST', body, credentials: 'include' },
        { method: 'POST', body, credentials: 'include', headers: { 'content-type': 'application/json' } },
        { method: 'POST', body, credentials: 'include', headers: { 'x-ken-key': 'guess' } },
        { method: 'POST', body, credentials: 'include', mode: 'no-cors' },
        { method: 'DELETE', credentials: 'include' },
      ]
      return Promise.all(
        attempts.map((init) =>
          fetch(`${url}/v1/propose_decision`, init).then(
            (response) => `${response.type} ${response.status}`,
            () => 'refused',
          ),
        ),
      )
    })
    expect(answers.filter((answer) => answer !== 'refused' && answer !== 'opaque 0')).toEqual([])
    expect(await decisions()).toBe(before)
    expect(cookiesSeen.join()).toContain('ken-session-')
  })

  test('a form, a frame, an image and a script on another page get no data', async () => {
    const before = await decisions()
    const page = await desk.page.context().newPage()
    await page.goto(elsewhere)
    const loaded = await page.evaluate(async (url) => {
      const tried = (element: HTMLElement, address: string): Promise<string> =>
        new Promise((resolve) => {
          element.addEventListener('load', () => resolve('loaded'))
          element.addEventListener('error', () => resolve('error'))
          element.setAttribute('src', address)
          document.body.append(element)
        })
      const frame = document.createElement('iframe')
      await tried(frame, `${url}/`)
      return {
        picture: await tried(document.createElement('img'), `${url}/ken.svg`),
        script: await tried(document.createElement('script'), `${url}/enter.js`),
        frame: frame.contentDocument === null ? 'closed' : frame.contentDocument.title,
      }
    }, desk.url)
    expect(loaded).toEqual({ picture: 'error', script: 'error', frame: 'closed' })
    await page.evaluate((url) => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = `${url}/v1/propose_decision`
      form.enctype = 'text/plain'
      const field = document.createElement('input')
      field.name = '{"title":"By a form","rationale":"A form of another page sent this.","x":"'
      field.value = '"}'
      form.append(field)
      document.body.append(form)
      form.submit()
    }, desk.url)
    await page.waitForURL((address) => address.pathname.startsWith('/v1/'))
    expect(await page.textContent('body')).toContain('forbidden')
    await page.close()
    expect(await decisions()).toBe(before)
  })

  test('a page that opened the app cannot read it', async () => {
    const seen = await onStrangersPage(elsewhere, async (url) => {
      const opened = window.open(url, 'ken')
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      try {
        return opened === null || opened.closed ? 'cut off' : String(opened.document.title)
      } catch {
        return 'cut off'
      }
    })
    expect(seen).toBe('cut off')
  })

  test('a foreign host name that resolves to this machine is refused', async () => {
    const browser = await launchChromium(['--host-resolver-rules=MAP ken.evil.example 127.0.0.1'])
    try {
      const page = await browser.newPage()
      const address = desk.url.replace('127.0.0.1', 'ken.evil.example')
      expect((await page.goto(address))!.status()).toBe(403)
      const status = await page.evaluate(
        async () => (await fetch('/v1/list_decisions', { method: 'POST', body: '{}' })).status,
      )
      expect(status).toBe(403)
    } finally {
      await browser.close()
    }
  })

  test('a cookie without the key grants no access, and neither does the key without the cookie', async () => {
    const [cookie] = await desk.page.context().cookies(desk.url)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    const seen = await desk.page.evaluate(() => ({ cookie: document.cookie, key: localStorage.getItem('ken.key')! }))
    expect(seen.cookie).toBe('')
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${desk.url}/v1/list_decisions`, { method: 'POST', body: '{}', headers })).status
    const whole = { cookie: `${cookie!.name}=${cookie!.value}`, 'x-ken-key': seen.key }
    expect(await ask(whole)).toBe(200)
    expect(await ask({ cookie: whole.cookie })).toBe(401)
    expect(await ask({ 'x-ken-key': seen.key })).toBe(401)
  })

  test('the link is not kept in the history, and does not work a second time', async () => {
    expect(await desk.page.evaluate(() => ({ length: history.length, href: location.href }))).toEqual({
      length: expect.any(Number),
      href: expect.not.stringContaining('code='),
    })
    await desk.page.goBack().catch(() => null)
    expect(desk.page.url()).not.toContain('code=')
  })
})
