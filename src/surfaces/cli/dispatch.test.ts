import { expect, test } from 'vitest'
import { textOf } from '../../kernel/domain/view/styled.ts'
import { plainView } from '../../kernel/domain/view/view.ts'
import { displayWidth } from '../../kernel/domain/view/width.ts'
import { OPERATIONS } from '../../operations/all.ts'
import { GROUPS, REPLACED } from './command-groups.ts'
import { dispatch } from './dispatch.ts'

interface Said {
  code: number
  out: string
  err: string
  ran?: { operation: string; rest: readonly string[]; typed: string }
  otherwise?: readonly string[]
}

const say = (...line: string[]): Promise<Said> => sayAt(Infinity, ...line)

async function sayAt(width: number, ...line: string[]): Promise<Said> {
  const said: Said = { code: 0, out: '', err: '' }
  said.code = await dispatch(line, {
    terminal: {
      out: (text) => void (said.out += typeof text === 'string' ? text : textOf(text)),
      err: (text) => void (said.err += text),
      view: () => ({ ...plainView(width === Infinity ? 'pipe' : 'person'), width }),
      trace: () => {},
      readText: () => '',
    },
    version: '1.2.3',
    ask: async (_operation, rest) => rest,
    run: async ({ name }, rest, typed, otherwise = []) => {
      said.ran = { operation: name, rest, typed }
      said.otherwise = otherwise.map(({ operation }) => operation)
      return 0
    },
  })
  return said
}

test.each([
  ['add "x"', 'propose_decision', ['x']],
  ['propose "x"', 'propose_decision', ['x']],
  ['ls -n 3', 'list_decisions', ['-n', '3']],
  ['show 12', 'get_decision', ['12']],
  ['show D012', 'get_decision', ['12']],
  ['show decisions/012-use-postgres.md', 'get_decision', ['12']],
  ['show --mode header 12', 'get_decision', ['--mode', 'header', '12']],
  ['show 1f3c9a02b7aa', 'memory_get', ['1f3c9a02b7aa']],
  ['show #123456789012', 'memory_get', ['#123456789012']],
  ['show team:1f3c9a02b7aa', 'memory_get', ['team:1f3c9a02b7aa']],
  ['show 2026-11-15.md', 'memory_get', ['2026-11-15.md']],
  ['show docs/a.md', 'memory_get', ['docs/a.md']],
  ['show 3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'session_show', ['3f2504e0-4f89-11d3-9a0c-0305e82c3301']],
  ['search "a word"', 'memory_query', ['a word']],
  ['decisions history 3', 'decision_history', ['3']],
  ['memory reindex', 'reindex', []],
  ['note "The press leaks?"', 'memory_write', ['The press leaks?']],
  ['note "x" --rationale "y"', 'jot', ['x', '--rationale', 'y']],
  ['supersede 12 "x"', 'propose_decision', ['--operation', 'supersede', '--affected-decision-id', '12', 'x']],
  ['supersede 2, D3 "x"', 'propose_decision', ['--operation', 'supersede', '--affected-decision-id', '2,D3', 'x']],
  ['--json --project shop config get a', 'config_get', ['a', '--project', 'shop', '--json']],
])('ken %s', async (line, operation, rest) => {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
  expect((await say(...words)).ran).toMatchObject({ operation, rest })
})

test('`ken supersede` without a number is refused with an example', async () => {
  expect(await say('supersede', 'A title')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^ken: Say which decision, e\.g\. `ken supersede 12 /),
  })
})

test('help shows everyday commands and a noun for the others', async () => {
  const few = await say()
  expect(few).toEqual(await say('--help'))
  const [verbs = '', nouns = ''] = few.out.split('More, by subject')
  expect(verbs.match(/^ {2}\w/gm)!.length).toBeLessThan(17)
  expect(nouns.match(/^ {2}\w+ …/gm)).toHaveLength(GROUPS.length)
})

test('help --all lists every command except replaced ones', async () => {
  const all = (await say('help', '--all')).out
  const isListed = (command: readonly string[]): boolean => command.some((words) => all.includes(`  ${words} `))
  // Operations that only the analyst uses are not commands for people.
  const forPeople = OPERATIONS.filter(({ toolset }) => toolset !== 'analyst')
  const hidden = forPeople.filter(({ command }) => !isListed(command)).map(({ name }) => name)
  expect(hidden.sort()).toEqual(Object.keys(REPLACED).sort())
  expect(all).toContain('  supersede ')
})

test.each(GROUPS.map(({ noun }) => noun))('ken %s lists existing commands', async (noun) => {
  const { out, code } = await say(noun, '--help')
  expect(code).toBe(0)
  const listed = [...out.matchAll(/^ {2}([a-z][a-z -]*?) {2}/gm)].map(([, words]) => words!)
  expect(listed.filter((words) => OPERATIONS.every(({ command }) => !command.includes(words)))).toEqual([])
  expect(listed.length).toBeGreaterThan(1)
})

test('a noun that is not a command lists its commands', async () => {
  expect(await say('memory')).toEqual(await say('memory', '--help'))
})

test.each([40, 80, 132])('no line of help is wider than a terminal of %i columns', async (width) => {
  for (const line of [['--help'], ['help', '--all'], ['add', '--help'], ['memory', '--help']]) {
    const { out } = await sayAt(width, ...line)
    const prose = out.split('\n').filter((text) => !/^(?: {2}ken |Usage: ken )/.test(text))
    expect(prose.filter((text) => displayWidth(text) > width)).toEqual([])
  }
})

test.each([
  ['show docs/a.md', ['get_raw_file', 'read_file']],
  ['show revenue', ['session_show', 'story_show', 'chat_show', 'table_facts']],
  ['show 12', []],
])('ken %s falls back to another lookup', async (line, otherwise) => {
  expect((await say(...line.split(' '))).otherwise).toEqual(otherwise)
})

test.each([
  [['check', '--help'], 'Usage: ken check '],
  [['check-decision', '-h'], 'Usage: ken check-decision '],
  [['help', 'check'], 'Usage: ken check '],
  [['check', 'help'], 'Usage: ken check '],
  [['check', 'an idea', '--help'], 'Usage: ken check '],
  [['config', 'set', '--help'], 'Usage: ken config set '],
  [['help', 'config'], 'config unset'],
  [['import', '--help'], 'import adr'],
  [['supersede', '--help'], 'Usage: ken supersede <decision> [title]'],
  [['completion', '--help'], 'ken completion'],
  [['help', 'serve'], 'ken serve --http'],
])('ken %j shows help', async (line, shown) => {
  expect(await say(...line)).toMatchObject({ code: 0, err: '', out: expect.stringContaining(shown) })
})

test('--help after -- does not show help', async () => {
  expect((await say('check', '--', '--help')).ran).toMatchObject({ rest: ['--', '--help'] })
})

test('an unknown command suggests a similar one', async () => {
  expect((await say('chekc')).err).toContain('Did you mean `ken check`?')
  expect((await say('find')).err).toContain('Did you mean `ken search`?')
  expect((await say('foo')).err).toBe('ken: Unknown command "foo". See `ken --help`.')
  expect((await say('help', 'foo')).code).toBe(2)
  expect((await say('config', 'lst')).err).toContain('`ken config` has no "lst". Use one of: `ken config list`')
})

test('no typo triggers a destructive command', async () => {
  const destructive = OPERATIONS.filter((op) => op.destructive).flatMap((op) => op.command)
  expect(destructive).toContain('forget')
  const slips = destructive.flatMap((command) => {
    const [word = '', ...more] = command.split(' ')
    const at = [...word].map((_, i) => i)
    const first = [
      ...at.map((i) => word.slice(0, i) + word.slice(i + 1)),
      ...at.map((i) => `${word.slice(0, i)}x${word.slice(i)}`),
      ...at.slice(1).map((i) => word.slice(0, i - 1) + word[i]! + word[i - 1]! + word.slice(i + 1)),
    ]
    return [...first.map((one) => [one, ...more]), [word, ...more.map((one) => one.slice(0, -1))]]
  })
  for (const line of slips.filter((words) => !destructive.includes(words.join(' ')))) {
    const { err } = await say(...line)
    const named = [...err.matchAll(/`ken ([^`]+)`/g)].map(([, command]) => command!)
    expect({ line, named: named.filter((command) => destructive.includes(command)) }).toEqual({ line, named: [] })
  }
})
