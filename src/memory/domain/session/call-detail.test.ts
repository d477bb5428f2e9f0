import { assert, property, string, anything } from 'fast-check'
import { expect, test } from 'vitest'
import { callDetail } from './call-detail.ts'

test.each<[unknown, string | undefined]>([
  [{ command: 'npm test -- --run', description: 'Run the tests' }, 'npm test -- --run'],
  [{ cmd: 'rg -n tz src', workdir: '/x' }, 'rg -n tz src'],
  [{ command: ['bash', '-lc', 'npm test'] }, 'npm test'],
  [{ command: ['git', 'status'] }, 'git status'],
  ['{"command":["/bin/zsh","-c","ls -la"]}', 'ls -la'],
  [{ action: { type: 'exec', command: ['ls'] } }, 'ls'],
  [{ action: { type: 'search', query: 'sqlite wal' } }, 'sqlite wal'],
  [{ command: 'str_replace', path: 'src/x.ts', old_str: 'a', new_str: 'b' }, 'str_replace src/x.ts'],
  [{ file_path: 'src/x.ts', content: 'const secret = 1' }, 'src/x.ts'],
  [{ filePath: 'src/x.ts', oldString: 'a', newString: 'b' }, 'src/x.ts'],
  [{ target_file: 'src/x.ts', code_edit: 'x' }, 'src/x.ts'],
  [{ pattern: 'TODO', path: 'src', output_mode: 'content' }, 'TODO in src'],
  [{ regex: 'a+', path: 'src', file_pattern: '*.ts' }, 'a+ in src'],
  [{ query: 'empty basket' }, 'empty basket'],
  [{ url: 'https://example.org/a', prompt: 'Summarise' }, 'https://example.org/a'],
  [{ paths: ['a.ts', 'b.ts'] }, 'a.ts, b.ts'],
  [
    { files: 'abcdefghijklmnopqrstuv'.split('').map((name) => ({ path: name, content: 'x' })) },
    'a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, … 2 more',
  ],
  [{ args: { file: [{ path: 'a.ts' }] } }, 'a.ts'],
  [{ arguments: '{"path":"a.ts"}' }, 'a.ts'],
  [{ changes: { 'src/x.ts': { update: { unified_diff: '…' } } } }, 'src/x.ts'],
  [{ changes: [{ path: 'src/x.ts', diff: '…' }] }, 'src/x.ts'],
  ['*** Begin Patch\n*** Update File: src/x.ts\n@@\n-a\n+b\n*** Add File: y.md\n+c\n*** End Patch', 'src/x.ts, y.md'],
  [{ patchText: '*** Begin Patch\n*** Delete File: x.ts\n*** End Patch' }, 'x.ts'],
  [{ command: ['apply_patch', '*** Begin Patch\n*** Update File: x.ts\n*** End Patch'] }, 'apply_patch x.ts'],
  [{ description: 'find date parsing', prompt: 'A page of prose', subagent_type: 'Explore' }, 'find date parsing'],
  [{ todos: [{ content: 'x' }] }, undefined],
  [{ password: 'hunter2', content: 'a whole file' }, undefined],
  [{ command: '' }, undefined],
  [null, undefined],
  [7, undefined],
])('the detail of %j is %j', (input, detail) => {
  expect(callDetail(input)).toBe(detail)
})

test('a detail is one line, truncated if too long', () => {
  expect(callDetail({ command: 'npm ci &&\n\tnpm test\r\n' })).toBe('npm ci && npm test')
  expect(callDetail({ command: 'a'.repeat(400) })).toBe(`${'a'.repeat(299)}…`)
  expect(callDetail({ command: 'echo \u001b[31mred\u202e' })).toBe('echo [31mred')
})

test('contains neither file content nor secrets nor text injected by Ken', () => {
  expect(callDetail({ command: "cat > a.env <<'EOF'\nTOKEN=1\nEOF\ncat a.env" })).toBe(
    "cat > a.env <<'EOF' … cat a.env",
  )
  expect(callDetail({ command: 'tee a.env <<EOF\nTOKEN=1\nEOF' })).toBe('tee a.env <<EOF …')
  const commit = 'git commit -m "$(cat <<\'EOF\'\n\nfix: count pears once\n\nA page.\nEOF\n)" && git push'
  expect(callDetail({ command: commit })).toBe(`git commit -m "$(cat <<'EOF' fix: count pears once … )" && git push`)
  const key = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
  expect(callDetail({ command: `curl -H "Authorization: Bearer ${key}" https://example.org` })).not.toContain(key)
  // A secret across the cut.
  expect(callDetail({ command: `${'echo '.repeat(58)}${key}` })).not.toMatch(/ghp_/)
  expect(callDetail({ query: 'a <ken-context>rules</ken-context> b' })).toBe('a b')
})

test('a detail is one short line or undefined, whatever the log contains', () => {
  assert(
    property(anything(), string({ unit: 'binary' }), (input, text) => {
      for (const each of [input, text, { command: text }, { path: text, pattern: input }]) {
        const detail = callDetail(each) ?? 'none'
        expect(detail).toMatch(/^[^\s\p{C}](?:[^\p{C}\n]*[^\s\p{C}])?$/u)
        expect([...detail].length).toBeLessThanOrEqual(300)
      }
    }),
    { numRuns: 40 },
  )
})
