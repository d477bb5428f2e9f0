import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { EMBEDDERS, HARVESTERS } from '../src/app/providers.ts'
import { SETTINGS } from '../src/app/settings.ts'
import { secretRedactor } from '../src/kernel/domain/secrets/redact.ts'
import { defineHarvester } from '../src/memory/harvest/define-harvester.ts'
import { defineEmbedder } from '../src/retrieval/embed/define-embedder.ts'
import { CLIENT_NAMES, CLIENTS } from '../src/setup/domain/clients.ts'

const SRC = join(import.meta.dirname, '..', 'src')
const home = mkdtempSync(join(tmpdir(), 'ken-providers-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

test.each(['memory/harvest', 'retrieval/embed'])('every folder of %s is listed in app/providers.ts', (port) => {
  const providers = readFileSync(join(SRC, 'app', 'providers.ts'), 'utf8')
  const folders = readdirSync(join(SRC, port), { withFileTypes: true }).filter((one) => one.isDirectory())
  expect(folders.length).toBeGreaterThan(3)
  for (const { name } of folders) expect(providers).toContain(`import('../${port}/${name}/index.ts')`)
})

test('every name is unique, and the settings offer all of them', async () => {
  const clients = HARVESTERS.map(({ client }) => client)
  const kinds = EMBEDDERS.map(({ name }) => name.split(':')[0])
  expect(new Set(clients).size).toBe(clients.length)
  expect(new Set(kinds).size).toBe(kinds.length)
  for (const line of HARVESTERS) expect((await line.load()).client).toBe(line.client)
  for (const line of EMBEDDERS) expect((await line.load()).name).toBe(line.name)
  const setting = (name: string) => SETTINGS.find((one) => one.name === name)!
  expect(setting('harvest.clients').fallback).toEqual(clients)
  for (const { name } of EMBEDDERS) {
    expect(setting('search.embedder').help).toContain(name)
    expect(setting('search.embedder').form!.pattern.test(name.replace(/<.*>/, 'x'))).toBe(true)
  }
})

test('the README names every client, and the guides show how to set up each and every embedder', () => {
  const page = (path: string) => readFileSync(join(SRC, '..', path), 'utf8')
  for (const name of CLIENT_NAMES) {
    expect(page('README.md')).toContain(CLIENTS[name].title)
    expect(page('docs/guides/clients.md')).toMatch(new RegExp(`ken setup .*\\b${name}\\b`))
  }
  for (const { name } of EMBEDDERS) expect(page('docs/guides/memory.md')).toContain(`\`${name.split('<')[0]}`)
})

test('an embedder that sends text never receives a secret, without redacting it itself', async () => {
  const seen: string[] = []
  const eavesdropper = defineEmbedder({
    name: 'eavesdropper:<model>',
    sendsText: true,
    usualUrl: 'http://127.0.0.1:1',
    usualKey: undefined,
    open: async ({ model, url }) => ({
      id: `eavesdropper:${model}`,
      dimensions: 1,
      calibration: undefined,
      embed: async (texts) => {
        seen.push(url, ...texts)
        return texts.map(() => Float32Array.of(1))
      },
      knows: () => false,
      close: async () => void seen.push('closed'),
    }),
  })
  const signal = new AbortController().signal
  const parts = { model: 'm', url: 'http://127.0.0.1:2', key: undefined, signal, redactor: secretRedactor }
  const embedder = await eavesdropper.open(parts)
  expect(await embedder.embed(['password = "correct-horse-9271"', 'plain'], 'document')).toHaveLength(2)
  await embedder.close()
  expect(seen).toEqual(['http://127.0.0.1:2', 'password = "[redacted]"', 'plain', 'closed'])
  expect(embedder).toMatchObject({ id: 'eavesdropper:m', dimensions: 1 })
})

test('a harvester reads only places that exist and have its marker', async () => {
  const definition = { client: 'toy', places: ['.toy', '.config/toy', '.old-toy'], async *read() {} }
  for (const folder of ['.toy', '.config/toy/logs']) mkdirSync(join(home, folder), { recursive: true })
  expect(await defineHarvester(definition).roots(home)).toEqual([join(home, '.toy'), join(home, '.config', 'toy')])
  expect(await defineHarvester({ ...definition, sign: 'logs' }).roots(home)).toEqual([join(home, '.config', 'toy')])
})

test('a definition with a missing field does not compile', () => {
  const open = async (): Promise<never> => Promise.reject(new Error('never'))
  // @ts-expect-error without the places of its logs
  defineHarvester({ client: 'a', async *read() {} })
  // @ts-expect-error without `sendsText`, which decides whether secrets are taken out
  defineEmbedder({ name: 'a', open })
  // @ts-expect-error one that sends text, without where to
  defineEmbedder({ name: 'a', sendsText: true, usualKey: undefined, open })
})
