import * as fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { removeToml, tomlValueAt, upsertToml } from './toml-edit.ts'

const PATH = ['mcp_servers', 'ken']
const ENTRY = { command: '/usr/local/bin/ken', args: ['serve', '--stdio'] }
const TABLE = '[mcp_servers.ken]\ncommand = "/usr/local/bin/ken"\nargs = [ "serve", "--stdio" ]\n'

describe('setting a table in a TOML text', () => {
  it('appends it after one blank line', () => {
    expect(upsertToml('model = "x" # mine\n', PATH, ENTRY)).toBe(`model = "x" # mine\n\n${TABLE}`)
    expect(upsertToml('', PATH, ENTRY)).toBe(TABLE)
  })

  it('changes only the values that differ, in place', () => {
    const text =
      '[mcp_servers . "ken"] # memory\n  command = "old" # why\nstartup_timeout_sec = 30\n\n[mcp_servers.ken.env]\nA = "1"\n\n# the next one\n[other]\n'
    const after = upsertToml(text, PATH, ENTRY)
    expect(after).toBe(
      '[mcp_servers . "ken"] # memory\nargs = [ "serve", "--stdio" ]\n  command = "/usr/local/bin/ken" # why\nstartup_timeout_sec = 30\n\n[mcp_servers.ken.env]\nA = "1"\n\n# the next one\n[other]\n',
    )
    expect(upsertToml(after, PATH, ENTRY)).toBe(after)
  })

  it('is not misled by headers inside strings, lists and comments', () => {
    const text =
      'a = """\n[mcp_servers.ken]\n"""\nb = [ # ]\n  "[x]", # "\n  \'\'\'\n]\'\'\',\n]\n# [mcp_servers.ken]\n'
    expect(upsertToml(text, PATH, ENTRY)).toBe(`${text}\n${TABLE}`)
    expect(removeToml(`${text}\n${TABLE}`, PATH, text)).toBe(text)
  })

  it.each([
    ['a = ', 'not valid TOML'],
    ['[mcp_servers]\nken = { command = "x" }\n', 'not written as a table'],
    ['mcp_servers.ken.command = "x"\n', 'not written as a table'],
    ['mcp_servers = { db = { command = "x" } }\n', 'not written as a table'],
  ])('refuses %j with a reason', (text, why) => {
    expect(() => upsertToml(text, PATH, ENTRY)).toThrow(why)
  })
})

describe('removing it again', () => {
  it('also removes the tables below it, and keeps the comment of the next one', () => {
    const text = `a = 1\n\n${TABLE}\n[mcp_servers.ken.tools.x]\napproval_mode = "approve"\n\n# the next one\n[other]\nb = 2\n`
    expect(removeToml(text, PATH, undefined)).toBe('a = 1\n\n# the next one\n[other]\nb = 2\n')
  })

  it('leaves no file if there was none', () => {
    expect(removeToml(TABLE, PATH, undefined)).toBeUndefined()
    expect(removeToml(TABLE, PATH, '')).toBe('')
  })

  it('restores every text byte for byte', () => {
    const piece = fc.constantFrom(
      '',
      '# note',
      'key = "v" # c',
      '"quoted = key" = 1',
      'list = [\n  1, # one\n  2,\n]',
      'text = """\n[mcp_servers.ken]\n"""',
      "raw = '''it''s\n[x]'''",
      '[mcp_servers.db]',
      'command = "npx"',
      'when = 2026-01-01',
      'big = 9223372036854775807',
      '[[rows]]',
      'inline = { a = [ "]" ] }',
      '[a."b.c"]',
      'n = nan',
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('', '\n', '\n\n', '  '),
        (pieces, eol, tail) => {
          const text = (pieces.join('\n') + tail).replaceAll('\n', eol)
          if (!isToml(text)) return
          const added = upsertToml(text, PATH, ENTRY)
          expect(tomlValueAt(added, PATH)).toEqual(ENTRY)
          expect(upsertToml(added, PATH, ENTRY)).toBe(added)
          expect(removeToml(added, PATH, text)).toBe(text)
          const since = `${added}${eol}[later]${eol}x = 1${eol}`
          if (isToml(since)) expect(isToml(removeToml(since, PATH, text)!)).toBe(true)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

function isToml(text: string): boolean {
  try {
    parse(text, { integersAsBigInt: 'asNeeded' })
    return true
  } catch {
    return false
  }
}
