import { expect, test } from 'vitest'
import { notesIn } from '../note/note-facts.ts'
import { noteSource } from '../note/note-source.ts'
import { analyseDocument, type DocumentPlace } from './analyse-document.ts'

test('the text to embed for a note is independent of when it was written', () => {
  const texts = ['2026-11-18T14:50:50.930Z', '2026-02-03T04:00:00.080Z'].map(embeddedNote)
  expect(texts[0]).toContain('The staging database is reset every night at three.')
  expect(texts[0]).toBe(texts[1])
})

function embeddedNote(time: string): string {
  const content = 'The staging database is reset every night at three.'
  const owner = { kind: 'project', id: '01JABCDEFGHJKMNPQRSTVWXYZ0', name: 'shop' } as const
  const text = noteSource({ time, tags: ['staging'], owner, content })
  const texts: string[] = []
  for (const { entry } of notesIn(text))
    analyseDocument({ ...PLACE, entry }, text, { take: (_, toEmbed) => texts.push(toEmbed()) })
  return texts.join('\n')
}

const PLACE: DocumentPlace = {
  collection: 'memory',
  path: 'memory/MEMORY.md',
  entry: undefined,
  origin: 'note',
  trust: 'learned',
  workspace: 'here',
  project: undefined,
  size: 1,
  mtime: 0,
  hash: 'hash',
}
