import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ChatEvent } from '../../src/analyst/domain/chat/event.ts'
import { readEventId } from '../../src/analyst/domain/chat/event.ts'
import type { PartKind } from '../../src/analyst/domain/chat/part.ts'
import { ERROR_TABLE } from '../../src/kernel/domain/errors.ts'

// An event missing here does not compile; an event missing on the page fails the test.
const EVENTS: Record<ChatEvent['type'], true> = { message: true, part: true, more: true, title: true, end: true }
const PARTS: Record<PartKind, true> = {
  text: true,
  reasoning: true,
  image: true,
  injected: true,
  call: true,
  result: true,
  chart: true,
  story: true,
  question: true,
  approval: true,
  approved: true,
  follow_ups: true,
  remembered: true,
  compaction: true,
  citations: true,
  notice: true,
  failure: true,
}

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'events.md'), 'utf8')
const examples = [...page.matchAll(/^`([a-z_]+)`: [^\n]+\n\n```json\n([^\n]+)\n```$/gm)].map(([, name, json]) => ({
  name: name!,
  value: JSON.parse(json!) as Record<string, unknown>,
}))

test('the page lists every event and every kind of part, with an example of each', () => {
  const named = (key: 'type' | 'kind') => examples.filter(({ value }) => key in value)
  expect(named('type').map(({ name }) => name)).toEqual(Object.keys(EVENTS))
  expect(named('kind').map(({ name }) => name)).toEqual(Object.keys(PARTS))
  for (const { name, value } of examples) expect(value['type'] ?? value['kind']).toBe(name)
})

test('the ids of the examples are valid, and their failures are in the table', () => {
  for (const { value } of examples) {
    if (typeof value['id'] === 'string') expect(readEventId(value['id'])).toBeDefined()
    if (value['kind'] === 'failure') expect(ERROR_TABLE).toHaveProperty(String(value['code']))
  }
  expect([readEventId('7'), readEventId('7.120'), readEventId('7.end'), readEventId('7.x'), readEventId('-1')]).toEqual(
    [
      { part: 7, characters: undefined },
      { part: 7, characters: 120 },
      { part: 7, characters: undefined, ended: true },
      undefined,
      undefined,
    ],
  )
})
