import { expect, test } from 'vitest'
import { assembleTurns, type SessionEvent } from './assemble.ts'
import { callDetail } from './call-detail.ts'
import { composeSession } from './compose.ts'
import { sessionFacts } from './facts.ts'
import { parseSessionMarkdown, sessionMarkdown } from './markdown.ts'
import { sessionTurns } from './session-turns.ts'

const AT = '2026-05-01T10:00:00.000Z'
const user = (text: string): SessionEvent => ({ kind: 'user', text, at: AT })
const says = (text: string): SessionEvent => ({ kind: 'assistant', text, at: AT })
const tool = (name: string, input: unknown, ok: boolean | null = true): SessionEvent => ({
  kind: 'tool',
  name,
  ok,
  detail: callDetail(input),
})

/** Facts of a session after a round trip through the archive. */
function factsOf(...events: SessionEvent[]) {
  const said = assembleTurns(events)
  const session = composeSession(
    { client: 'parrot', id: 's', kind: 'main', parentId: null, files: [], projectDir: '/home/dev/shop', titles: [] },
    said,
  )
  return sessionFacts(sessionTurns(parseSessionMarkdown(sessionMarkdown(session!, { workspace: 'w' }))))
}

const kindsOf = (...events: SessionEvent[]) => factsOf(...events).facts.map(({ kind, what }) => `${kind} ${what}`)

test('a call that the user refused is neither a command nor a change', () => {
  const refused = (event: SessionEvent): SessionEvent => ({ ...event, ok: false, refused: true }) as SessionEvent
  expect(
    kindsOf(
      user('Clean up'),
      refused(tool('Bash', { command: 'rm -rf src/parser' })),
      refused(tool('Edit', { file_path: '/home/dev/shop/a.ts' })),
      says('Stopped.'),
    ),
  ).toEqual([])
})

test('calls that no words follow are facts, and leave the last message unanswered', () => {
  const done = factsOf(user('Use print CSS'), tool('Edit', { file_path: '/home/dev/shop/report.css' }))
  expect(done.facts).toMatchObject([{ kind: 'changed', what: 'report.css', turn: 2 }])
  expect(done.ended).toBe('unanswered')
})

test('a patch that a shell applies changes its files', () => {
  const command = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\n@@\n+x\n*** End Patch\nEOF"
  for (const input of [{ cmd: command }, { command: ['bash', '-lc', command] }])
    expect(kindsOf(user('Go'), tool('exec_command', input), says('Done.'))).toEqual(['changed a.ts'])
})

test.each(['python -m sim.check', 'gitlab-ci-lint .gitlab-ci.yml', './scripts/run-tests.sh', 'terraform validate'])(
  '%s is a test that failed and then passed',
  (command) => {
    const events = [user('Fix it'), tool('Bash', { command }, false), tool('Bash', { command }), says('Fixed.')]
    expect(kindsOf(...events)).toContain(`tests ${command}`)
  },
)

test.each<[string, SessionEvent, SessionEvent, SessionEvent]>([
  [
    'Claude Code',
    tool('Read', { file_path: '/home/dev/shop/a.ts' }),
    tool('Edit', { file_path: '/home/dev/shop/b.ts', old_string: 'x', new_string: 'y' }),
    tool('Bash', { command: 'ls' }),
  ],
  [
    'Gemini CLI',
    tool('read_file', { file_path: '/home/dev/shop/a.ts' }),
    tool('replace', { file_path: '/home/dev/shop/b.ts', old_string: 'x', new_string: 'y' }),
    tool('run_shell_command', { command: 'ls' }),
  ],
  [
    'OpenCode',
    tool('read', { filePath: 'a.ts' }),
    tool('patch', { patchText: patch('b.ts') }),
    tool('bash', { command: 'ls' }),
  ],
  [
    'Copilot CLI',
    tool('str_replace_editor', { command: 'view', path: 'a.ts' }),
    tool('str_replace_editor', { command: 'create', path: 'b.ts', file_text: 'x' }),
    tool('bash', { command: 'ls' }),
  ],
  [
    'Goose',
    tool('developer__text_editor', { command: 'view', path: 'a.ts' }),
    tool('developer__text_editor', { command: 'write', path: 'b.ts' }),
    tool('developer__shell', { command: 'ls' }),
  ],
  [
    'Codex',
    tool('view', { path: 'a.ts' }),
    tool('apply_patch', { input: patch('b.ts') }),
    tool('shell', { command: ['bash', '-lc', 'ls'] }),
  ],
])('reads, changes and commands of %s', (_client, read, change, command) => {
  expect(kindsOf(user('Go'), says('On it.'), read, change, command)).toEqual([
    'read a.ts',
    'changed b.ts',
    'command ls',
  ])
})

test('a failed or stopped call is not a change', () => {
  expect(
    kindsOf(
      user('Go'),
      says('On it.'),
      tool('Edit', { file_path: 'a.ts' }, false),
      tool('Bash', { command: 'npm i zod' }, false),
    ),
  ).toEqual(['command npm i zod'])
  expect(kindsOf(user('Go'), says('On it.'), tool('Edit', { file_path: 'a.ts' }, null), { kind: 'aborted' })).toEqual(
    [],
  )
})

test('tests that failed and passed later are listed with the files changed in between', () => {
  const { facts } = factsOf(
    user('Fix it'),
    says('On it.'),
    tool('Edit', { file_path: 'before.ts' }),
    tool('Bash', { command: 'npx vitest run src/cart' }, false),
    tool('Edit', { file_path: 'cart.ts' }),
    tool('Bash', { command: 'npx vitest run src/cart' }),
    tool('Bash', { command: 'npx vitest run src/cart' }),
  )
  expect(facts.filter(({ kind }) => kind === 'tests')).toMatchObject([
    { what: 'npx vitest run src/cart', ok: true, turn: 2, files: ['cart.ts'] },
  ])
})

test('packages, commits and branches come from commands that succeeded', () => {
  expect(
    kindsOf(
      user('Go'),
      says('On it.'),
      tool('Bash', { command: 'git switch -c prices && npm install zod' }),
      tool('Bash', { command: 'npm rm joi' }),
      tool('Bash', { command: 'git commit -am "Validate prices"' }),
    ).filter((one) => !one.startsWith('command')),
  ).toEqual(['added zod', 'branch prices', 'removed joi', 'commit Validate prices'])
})

test('an agent’s claims and names of tool servers are not facts', () => {
  expect(
    kindsOf(user('Go'), says('I edited a.ts and ran `npm install zod`.'), tool('mcp__files__write', { path: 'a.ts' })),
  ).toEqual([])
})

test('returns the beginning and the end of a session', () => {
  expect(factsOf(user('Fix the badge'), says('Done.'))).toMatchObject({
    firstAsk: { text: 'Fix the badge', turn: 1 },
    ended: 'answered',
  })
  expect(factsOf(user('Fix the badge'), says('Wait'), { kind: 'aborted' }).ended).toBe('interrupted')
  expect(factsOf(user('Fix the badge'), says('Done.'), user('Thanks')).ended).toBe('unanswered')
})

function patch(path: string): string {
  return `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch`
}
