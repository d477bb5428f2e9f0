import { expect, test } from 'vitest'
import { ollama } from '../../src/retrieval/embed/ollama/index.ts'
import { fail, startEmbeddingServer } from '../embedding-server.ts'
import { openContextDesk } from './context-desk.ts'

test('tables are found for a question once an embedder that failed is available again', async () => {
  const server = await startEmbeddingServer()
  const desk = openContextDesk()
  desk.sqlite('shop.db', 'CREATE TABLE refunds (id INTEGER)', 'CREATE TABLE staff (id INTEGER)')
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] })
  await desk.sync()
  const embedder = await ollama.open({
    model: 'some-model',
    url: server.url,
    key: undefined,
    redactor: { redact: async (text) => ({ text, count: 0 }) },
    signal: new AbortController().signal,
  })
  const ask = () =>
    desk.run('list_tables', { question: 'what was refunded?' }, { bundledEmbedder: async () => embedder })
  server.mishaps.push(fail(401, '{"error":"no key"}'))
  await expect(ask()).rejects.toThrow('was refused')
  expect((await ask())['tables'][0]).toMatchObject({ table: 'main.refunds' })
  await desk.close()
  await server.close()
})
