import { existsSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse as parseJsonc } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { afterEach, describe, expect, it } from 'vitest'
import { resolvePlace, SCOPES, type SetupScope } from '../src/setup/domain/client.ts'
import { CLIENT_NAMES, CLIENTS, type ClientName } from '../src/setup/domain/clients.ts'
import { setup } from '../src/setup/operations/setup.ts'
import { LAUNCHER, openDesk, type Desk } from './client-desk.ts'

let desk: Desk
afterEach(() => desk.close())

const hasEntry = (client: ClientName): boolean => CLIENTS[client].server.user.format !== 'file'
const CASES = CLIENT_NAMES.filter(hasEntry).flatMap((client) => SCOPES.map((scope) => [client, scope] as const))
const EVERYTHING = { with_hooks: true, with_skills: true }

/** Valid for the client but unusually formatted: comments, tabs, blank lines, trailing commas, CRLF. */
const ODD_JSON = (key: string) => `\uFEFF// kept by hand
{\r
\t"theme" : "dark" , // why not
\r
\t"${key}":{"db":{"command":"npx",   "args":["-y","db, {the} server"]} /* the old one */},

\t"hooks": { "SessionStart": [ {"hooks":[{"type":"command","command":"say hi"}]}, ], "Stop":[] },
  "last": [1,2 ,3],
}
  `
const ODD_TOML =
  '# mine\r\nmodel   = "x" # fast\r\n\r\n[mcp_servers."db"]\r\ncommand = \'npx\'\r\nnote = """\r\n[mcp_servers.ken]\r\n"""\r\n# the end'

const serverPath = (client: ClientName, scope: SetupScope): string =>
  resolvePlace(CLIENTS[client].server[scope].places[0]!, desk.context.clients.places(desk.repo)).slice(
    desk.home.length + 1,
  )
const parse = (path: string): any =>
  path.endsWith('.toml')
    ? parseToml(desk.read(path))
    : parseJsonc(desk.read(path).replace(/^\uFEFF/, ''), [], { allowTrailingComma: true })
const entryOf = (client: ClientName, scope: SetupScope): any =>
  pathOf(client, scope).reduce((value: any, key) => value?.[key], parse(serverPath(client, scope)))
const pathOf = (client: ClientName, scope: SetupScope): readonly string[] => {
  const server = CLIENTS[client].server[scope]
  return server.format === 'file' ? [] : server.path
}
const putOdd = (client: ClientName, scope: SetupScope): void => {
  const { format } = CLIENTS[client].server[scope]
  desk.write(serverPath(client, scope), format === 'toml' ? ODD_TOML : ODD_JSON(pathOf(client, scope)[0]!), 0o640)
}

// Project files may be passed on to a colleague whose Ken has another path.
const startOf = (scope: string): readonly string[] => (scope === 'project' ? ['ken'] : LAUNCHER)

describe.each(CASES)('%s in the %s scope', (client, scope) => {
  it('gets an entry that starts Ken, and is restored on removal', async () => {
    desk = openDesk()
    const before = desk.tree()
    const done = await desk.run(setup, { client, scope, ...EVERYTHING })
    const entry = entryOf(client, scope)
    expect([entry.command, entry.args].flat().filter((word) => word !== undefined)).toEqual([
      ...startOf(scope),
      'serve',
      '--stdio',
      '--toolset',
      'agent',
    ])
    expect(done.clients[0].files.every((file: { change: string }) => file.change === 'created')).toBe(true)
    expect(done.clients[0].next[0]).toMatch(/\.$/)
    await desk.run(setup, { client, scope, remove: true })
    expect(desk.tree()).toEqual(before)
  })

  it('keeps every byte of a file with comments and odd formatting', async () => {
    desk = openDesk()
    putOdd(client, scope)
    const original = desk.read(serverPath(client, scope))
    const before = desk.tree()
    await desk.run(setup, { client, scope, ...EVERYTHING })
    const after = desk.read(serverPath(client, scope))
    expect(entryOf(client, scope)).toBeDefined()
    expect(isSubsequence(original, after)).toBe(true)
    expect(statSync(join(desk.home, serverPath(client, scope))).mode & 0o777).toBe(0o640)
    await desk.run(setup, { client, scope, remove: true })
    expect(desk.tree()).toEqual(before)
  })

  it('is idempotent', async () => {
    desk = openDesk()
    putOdd(client, scope)
    await desk.run(setup, { client, scope, ...EVERYTHING })
    const once = desk.tree()
    const again = await desk.run(setup, { client, scope, ...EVERYTHING })
    expect(desk.tree()).toEqual(once)
    expect(again.clients[0].files.map((file: { change: string }) => file.change)).toEqual(
      again.clients[0].files.map(() => 'unchanged'),
    )
  })

  it('restores the old bytes even after several partial setups', async () => {
    desk = openDesk()
    putOdd(client, scope)
    const before = desk.tree()
    await desk.run(setup, { client, scope })
    await desk.run(setup, { client, scope, with_hooks: true })
    await desk.run(setup, { client, scope, with_skills: true })
    await desk.run(setup, { client, scope, remove: true })
    expect(desk.tree()).toEqual(before)
  })

  it('keeps foreign entries on removal, even without a backup', async () => {
    desk = openDesk()
    putOdd(client, scope)
    const meant = parse(serverPath(client, scope))
    await desk.run(setup, { client, scope, ...EVERYTHING })
    rmSync(join(desk.kenHome, 'backups'), { recursive: true })
    await desk.run(setup, { client, scope, remove: true })
    expect(parse(serverPath(client, scope))).toEqual(meant)
  })
})

describe.each(SCOPES)('pi, which has no MCP support, in the %s scope', (scope) => {
  it('gets extensions that start Ken, and is restored on removal', async () => {
    desk = openDesk()
    const before = desk.tree()
    const planned = await desk.run(setup, { client: 'pi', scope, ...EVERYTHING, dry_run: true })
    expect(desk.tree()).toEqual(before)
    expect(planned.clients[0].files[0].diff).toMatch(/^\+.*"serve","--stdio"/m)
    await desk.run(setup, { client: 'pi', scope, ...EVERYTHING })
    const once = desk.tree()
    expect(desk.read(serverPath('pi', scope))).toContain(JSON.stringify(startOf(scope)[0]))
    await desk.run(setup, { client: 'pi', scope, ...EVERYTHING })
    expect(desk.tree()).toEqual(once)
    await desk.run(setup, { client: 'pi', scope, remove: true })
    expect(desk.tree()).toEqual(before)
  })

  it('a foreign extension with that name is kept', async () => {
    desk = openDesk()
    desk.write(serverPath('pi', scope), 'export default () => {}\n')
    const before = desk.tree()
    const done = await desk.run(setup, { client: 'pi', scope })
    expect(done.clients[0].files[0]).toMatchObject({ change: 'unchanged', kept: expect.stringContaining('differs') })
    await desk.run(setup, { client: 'pi', scope, remove: true })
    expect(desk.tree()).toEqual(before)
  })
})

const ENTRIES = CLIENT_NAMES.filter(hasEntry).map((client) => [client, CLIENTS[client].scope] as const)

describe.each(ENTRIES)('%s', (client, scope) => {
  it('a dry run shows the change and does not make it', async () => {
    desk = openDesk()
    putOdd(client, scope)
    const before = desk.tree()
    const { clients } = await desk.run(setup, { client, scope, ...EVERYTHING, dry_run: true })
    expect(desk.tree()).toEqual(before)
    expect(existsSync(join(desk.kenHome, 'backups'))).toBe(false)
    expect(clients[0].files[0].diff).toMatch(/^\+.*serve/m)
  })

  it('a malformed file is not changed, and neither is any other file', async () => {
    desk = openDesk()
    desk.write(serverPath(client, scope), '{"a": 1, "b" = ')
    const before = desk.tree()
    await expect(desk.run(setup, { client, scope, ...EVERYTHING })).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining(serverPath(client, scope)),
    })
    expect(desk.tree()).toEqual(before)
  })

  it('does not write through a symbolic link', async () => {
    desk = openDesk()
    desk.write('elsewhere', '{}')
    desk.write(`${dirname(serverPath(client, scope))}/neighbour`, '')
    symlinkSync(join(desk.home, 'elsewhere'), join(desk.home, serverPath(client, scope)))
    await expect(desk.run(setup, { client, scope })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('symbolic link'),
    })
    expect(desk.read('elsewhere')).toBe('{}')
  })
})

function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (const sign of whole) if (sign === part[at]) at++
  return at === part.length
}
