import { createServer, type Server } from 'node:http'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOAuthDesk, pkce, request, type OAuthDesk } from '../oauth/oauth-desk.ts'
import { chromiumMissing, openBrowser, type OwnBrowser } from './chromium.ts'

const missing = chromiumMissing()
if (missing !== undefined) console.warn(`skipped: ${missing}`)

describe.skipIf(missing !== undefined)('the page that asks, in a browser', () => {
  let desk: OAuthDesk
  let browser: OwnBrowser
  let person: BrowserContext
  let client: Server
  let callback: string
  const heard: string[] = []

  beforeAll(async () => {
    ;[desk, browser] = await Promise.all([openOAuthDesk(), openBrowser()])
    person = await browser.newContext()
    await person.addCookies([{ name: 'session', value: 'one', url: desk.issuer }])
    client = createServer((incoming, response) => {
      if (incoming.url?.startsWith('/callback')) heard.push(incoming.url)
      response.setHeader('content-type', 'text/html')
      response.end(
        incoming.url?.startsWith('/frame')
          ? `<iframe src="${new URL(incoming.url, callback).searchParams.get('of')}"></iframe>`
          : '<title>Back in the client</title>',
      )
    })
    await new Promise<void>((listening) => client.listen(0, '127.0.0.1', listening))
    callback = `http://127.0.0.1:${(client.address() as { port: number }).port}/callback`
  })
  afterAll(async () => {
    client.close()
    await Promise.all([browser.close(), desk.close()])
  })

  const addressOf = async (challenge = pkce().challenge) => {
    const id = await desk.registered()
    const query = new URLSearchParams({ ...request(id, challenge), redirect_uri: callback })
    return { id, address: `${desk.issuer}/oauth/authorize?${query}` }
  }

  test('a person chooses a project, approves, and returns to the client with a valid code', async () => {
    const { verifier, challenge } = pkce()
    const { id, address } = await addressOf(challenge)
    const page = await person.newPage()
    await page.goto(address)
    expect(await page.getByRole('heading').textContent()).toBe('Allow access to Ken?')
    // The page's own style applies: the content security policy allows it.
    expect(await page.evaluate('getComputedStyle(document.querySelector("main")).maxWidth')).not.toBe('none')
    await page.getByLabel('Warehouse').check()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${callback}**`)
    expect(await page.title()).toBe('Back in the client')
    const landed = new URL(page.url()).searchParams
    expect(landed.get('iss')).toBe(desk.issuer)
    const given = await desk.redeem(id, { code: landed.get('code')!, verifier }, { redirect_uri: callback })
    const tokens = (await given.json()) as { access_token: string }
    expect(await (await desk.use(tokens.access_token)).json()).toMatchObject({ projects: ['P2'] })
    await page.close()
  })

  test('another site cannot show the page in a frame', async () => {
    const { address } = await addressOf()
    const page = await person.newPage()
    await page.goto(new URL(`/frame?of=${encodeURIComponent(address)}`, callback).href)
    const frame = page.frames()[1]!
    expect(await frame.content()).not.toContain('Allow access to Ken')
    await page.close()
  })

  test('another site cannot submit the page, even with the person’s cookie', async () => {
    const page = await person.newPage()
    await page.goto(callback)
    heard.length = 0
    const answered = page.waitForResponse(`${desk.issuer}/oauth/authorize`)
    await page.setContent(
      `<form method="post" action="${desk.issuer}/oauth/authorize"><input name="decision" value="allow"><button>Win</button></form>`,
    )
    await page.getByRole('button').click()
    expect((await answered).status()).toBe(403)
    expect(heard).toEqual([])
    await page.close()
  })

  test('a machine without a browser is authorised by its code', async () => {
    const begun = (await (await desk.post('/oauth/device', [['client_id', 'ken-cli']])).json()) as { user_code: string }
    const page = await person.newPage()
    await page.goto(`${desk.issuer}/device`)
    await page.getByLabel('Code shown there').fill(begun.user_code)
    await page.keyboard.press('Enter')
    await page.getByLabel('Shop').check()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByRole('heading', { name: 'Allowed' }).waitFor()
    await page.close()
  })
})
