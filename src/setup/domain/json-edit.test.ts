import * as fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { jsoncText } from '../../../test/jsonc-text.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { readJson, valueAt } from '../../kernel/domain/text/json-document.ts'
import { appendJson, upsertJson } from './json-edit.ts'
import { removeJson, removeJsonItem } from './json-removal.ts'

const SERVER = ['mcpServers', 'ken']
const ENTRY = { command: '/usr/local/bin/ken', args: ['serve', '--stdio'] }
const read = (text: string): unknown => parse(text, [], { allowTrailingComma: true, allowEmptyContent: true })

describe('setting a value in a JSON text', () => {
  it('adds a comma after the last member and keeps the comment that follows it', () => {
    const text = '{\n  "mcpServers": {\n    "db": { "command": "x" } // ours since spring\n  }\n}\n'
    expect(upsertJson(text, SERVER, { command: 'ken' })).toBe(
      '{\n  "mcpServers": {\n    "db": { "command": "x" }, // ours since spring\n    "ken": {\n      "command": "ken"\n    }\n  }\n}\n',
    )
  })

  it('keeps the tabs and CRLF line ends of the text', () => {
    const text = '{\r\n\t"a": 1\r\n}\r\n'
    expect(upsertJson(text, ['b'], { c: 2 })).toBe('{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}\r\n')
  })

  it('stays on one line if everything is on one line', () => {
    expect(upsertJson('{"a":1}', ['b'], { c: 2 })).toBe('{"a":1, "b": {"c":2}}')
  })

  it('keeps a trailing comma', () => {
    expect(upsertJson('{\n  "a": 1,\n}', ['b'], 2)).toBe('{\n  "a": 1,\n  "b": 2,\n}')
  })

  it('writes a new file in the usual format', () => {
    expect(upsertJson('', SERVER, ENTRY)).toBe(`${JSON.stringify({ mcpServers: { ken: ENTRY } }, null, 2)}\n`)
  })

  it.each([
    ['{"mcpServers": }', 'line 1'],
    ['{\n"a": 1\n"b": 2}', 'line 3'],
    ['[1]', 'object'],
    ['{"mcpServers": []}', 'not an object'],
    ['{"mcpServers": null}', 'not an object'],
  ])('refuses %j with a reason', (text, why) => {
    expect(() => upsertJson(text, SERVER, ENTRY)).toThrow(AppError)
    expect(() => upsertJson(text, SERVER, ENTRY)).toThrow(why)
  })
})

describe('removing it again', () => {
  it.each([
    '{}',
    '{ }',
    '{\n}',
    '{\n\n}\n',
    '',
    '\n',
    '// nothing yet',
    '\uFEFF{}\r\n',
    '{ /* empty */ }',
    '{\n  // later\n}\n',
    '{"mcpServers":{}}',
    '{"mcpServers": { } , "a" : [ ] }',
    '{\n  "mcpServers": {\n  }\n}',
    '{\n  "mcpServers": {\n    // none\n  },\n}',
    '{"a":1,}',
    '{"a":1, }',
    '{\n  "a": 1 /* one */ /* two\n lines */\n}',
    '{\n  "a": 1\n  ,\n}',
    '{\n  "a": 1\n  , "b": 2\n}',
    '{ "a": 1 }',
    '{\n\t"a": {"mcpServers": 1},\n\t"mcpServers": {"x": {}}}',
  ])('restores %j byte for byte', (text) => {
    const added = upsertJson(text, SERVER, ENTRY)
    expect(valueAt(readJson(added), SERVER)).toEqual(ENTRY)
    expect(removeJson(added, SERVER, text)).toBe(text)
  })

  it('leaves no file if there was none', () => {
    expect(removeJson(upsertJson('', SERVER, ENTRY), SERVER, undefined)).toBeUndefined()
  })

  it('keeps entries that were added next to it since', () => {
    const text = upsertJson(upsertJson('', SERVER, ENTRY), ['mcpServers', 'db'], { command: 'x' })
    expect(read(removeJson(text, SERVER, undefined)!)).toEqual({ mcpServers: { db: { command: 'x' } } })
  })

  it('keeps an empty object that was there before', () => {
    const text = '{\n  "mcpServers": {}\n}\n'
    const since = upsertJson(upsertJson(text, SERVER, ENTRY), ['other'], true)
    expect(removeJson(since, SERVER, text)).toBe('{\n  "mcpServers": {},\n  "other": true\n}\n')
  })

  it('restores every JSON text with comments, whatever its layout', () => {
    fc.assert(
      fc.property(jsoncText(), fc.constantFrom(SERVER, ['ken'], ['a', 'b', 'ken'], ['mcp', 'ken']), (text, path) => {
        const added = tryUpsert(text, path)
        if (added === undefined) return
        expect(valueAt(readJson(added), path)).toEqual(ENTRY)
        expect(removeJson(added, path, text)).toBe(text)
        expect(upsertJson(added, path, ENTRY)).toBe(added)
        const withNeighbour = upsertJson(added, ['since'], { spring: [1] })
        expect(read(removeJson(withNeighbour, path, text)!)).toEqual({
          ...(read(text) as object),
          since: { spring: [1] },
        })
        expect(read(removeJson(added, path, undefined) ?? '{}')).toBeDefined()
      }),
      { numRuns: 1_000 },
    )
  })

  it('restores every list after an item was appended', () => {
    fc.assert(
      fc.property(jsoncText(), fc.constantFrom(['list'], ['hooks', 'SessionStart']), (text, path) => {
        const added = tryAppend(text, path)
        if (added === undefined) return
        const items = valueAt(readJson(added), path) as unknown[]
        expect(items.at(-1)).toEqual(ENTRY)
        expect(removeJsonItem(added, path, items.length - 1, text)).toBe(text)
      }),
      { numRuns: 1_000 },
    )
  })
})

/** Undefined if the path already has a value, or the change is refused. */
function tryUpsert(text: string, path: readonly string[]): string | undefined {
  if (valueAt(readJson(text), path) !== undefined) return undefined
  return unlessRefused(() => upsertJson(text, path, ENTRY))
}

const tryAppend = (text: string, path: readonly string[]): string | undefined =>
  unlessRefused(() => appendJson(text, path, ENTRY))

function unlessRefused(edit: () => string): string | undefined {
  try {
    return edit()
  } catch (thrown) {
    expect((thrown as AppError).code).toBe('damaged')
    return undefined
  }
}
