import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BRIDGE, agentsMdBody, agentsMdChange, bridgeState, claudeBridgeChange } from './agents-md.ts'
import { findBlock, removeBlock, writeBlock } from './managed-block.ts'

const body = agentsMdBody(
  { name: 'Orchard', id: '01J' },
  { text: '## Current State\n\n- Pressing works.', trust: 'approved' },
)
const agents = agentsMdChange('/repo', body)
const add = (text: string | undefined): string => agents.add(text, false).text!

describe('AGENTS.md', () => {
  it('created by Ken has the protocol, the state of the project and a section for the user', () => {
    const text = add(undefined)
    expect(text).toMatch(/^<!-- ken:start/)
    expect(text).toContain('check_decision')
    expect(text).toContain('### Current State\n\n- Pressing works.')
    expect(text).toMatch(/<!-- ken:end -->\n\n# Manual\n/)
    expect(agents.remove(text, undefined).text).toBeUndefined()
  })

  it('keeps user text when the block is written again and when it is removed', () => {
    const mine = add(undefined).replace(/(# Manual\n\n).*\n/, '$1Always run `make press`.\n')
    const fresh = agentsMdChange('/repo', 'Something new.').add(mine, true).text!
    expect(fresh).toContain('Something new.')
    expect(fresh).not.toContain('Pressing works')
    expect(fresh).toContain('# Manual\n\nAlways run `make press`.\n')
    expect(agents.remove(fresh, undefined).text).toBe('\n# Manual\n\nAlways run `make press`.\n')
  })

  it('gets only the block at its end if the file has another author', () => {
    for (const theirs of ['# Rules\n\nBe kind.\n', '# Rules\r\n\r\nBe kind.', '', '\n\n', '```\nnever closed\n']) {
      const text = add(theirs)
      expect(text.startsWith(theirs)).toBe(true)
      expect(add(text)).toBe(text)
      expect(agents.remove(text, theirs).text).toBe(theirs)
    }
  })

  it('treats markers in a code fence as an example', () => {
    const docs = '# How it looks\n\n```md\n<!-- ken:start x -->\n<!-- ken:end -->\n```\n'
    expect(findBlock(docs)).toBeUndefined()
    expect(add(docs).startsWith(docs)).toBe(true)
  })

  it('is unchanged if the end of the block is missing', () => {
    expect(() => add('<!-- ken:start: x -->\ntext\n')).toThrow('ken:end')
  })

  it('a title cannot end the block', () => {
    const text = writeBlock('', 'a\n<!-- ken:end -->\nb')
    expect(findBlock(text)!.end).toBe(text.length - 1)
    expect(removeBlock(text, undefined)).toBe('')
  })

  it('is restored to any previous text', () => {
    const line = fc.constantFrom(
      '',
      'text',
      '# Title',
      '```',
      '~~~',
      '- `<!-- ken:end -->`',
      '  indented',
      '<!-- note -->',
    )
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (lines, eol, ended) => {
          const theirs = lines.join(eol) + (ended ? eol : '')
          const text = writeBlock(theirs, body)
          expect(writeBlock(text, body)).toBe(text)
          expect(removeBlock(text, theirs)).toBe(theirs)
          expect(removeBlock(`${text}more`, theirs).endsWith('more')).toBe(true)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('CLAUDE.md', () => {
  it.each([
    [undefined, 'absent'],
    [BRIDGE, 'owned'],
    [`# Mine\n\n${BRIDGE}More.\n`, 'owned'],
    ['See @AGENTS.md for all.\n', 'bridged'],
    [BRIDGE.replace('@../', '@'), 'owned'],
    ['@./AGENTS.md', 'bridged'],
    ['@../AGENTS.md', 'bridged'],
    ['Write `@AGENTS.md` to import.\n', 'foreign'],
    ['```\n@AGENTS.md\n```\n', 'foreign'],
    ['mail me@AGENTS.md or read @AGENTS.mdx\n', 'foreign'],
    ['', 'foreign'],
  ] as const)('%j is %s', (text, state) => expect(bridgeState(text)).toBe(state))

  it('is created only if missing, and Ken removes only its own two lines', () => {
    const bridge = claudeBridgeChange('/repo')
    expect(bridge.add(undefined, false)).toEqual({ text: BRIDGE })
    expect(bridge.add('# Mine\n', false)).toMatchObject({
      text: '# Mine\n',
      kept: expect.stringContaining('@../AGENTS.md'),
    })
    expect(bridge.remove(BRIDGE, undefined).text).toBeUndefined()
    expect(bridge.remove(`# Mine\r\n${BRIDGE}More.`, undefined).text).toBe('# Mine\r\nMore.')
    expect(bridge.remove('See @AGENTS.md\n', undefined).text).toBe('See @AGENTS.md\n')
  })
})
