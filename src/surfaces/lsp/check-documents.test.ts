import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { createConnection } from 'vscode-languageserver/node'
import { checkDocuments } from './check-documents.ts'
import type { EditorProject } from './open-projects.ts'

test('checks files that are opened at once one after the other, and skips those closed before their turn', async () => {
  const documents = new Map<string, TextDocument>()
  const judged: string[] = []
  let [running, most] = [0, 0]
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const judge = {
    refresh: async () => false,
    refreshRecord: async () => false,
    record: () => ({ decisions: [], texts: new Map() }),
    governing: () => [],
    lookUp: async () => false,
    close() {},
    async judge(path: string) {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      judged.push(path)
      if (path === 'last.ts') end()
      return []
    },
  }
  const project = { judge, dismissals: { isDismissed: () => false } } as unknown as EditorProject
  const checks = checkDocuments({
    connection: createConnection(new PassThrough(), new PassThrough()),
    projects: {
      placeOf: async (uri: string) => ({ project, path: uri.slice('file:///'.length), isRecord: false }),
    } as unknown as Parameters<typeof checkDocuments>[0]['projects'],
    documents: () => documents,
    delay: () => 0,
    trace: (thrown) => expect.fail(String(thrown)),
  })
  const names = [...Array.from({ length: 20 }, (_, i) => `${i}.ts`), 'last.ts']
  for (const name of names) {
    const document = TextDocument.create(`file:///${name}`, 'typescript', 1, '')
    documents.set(document.uri, document)
    checks.opened(document)
  }
  documents.delete('file:///7.ts')
  await ended
  checks.stop()
  expect(most).toBe(1)
  expect(judged).toEqual(names.filter((name) => name !== '7.ts'))
})
