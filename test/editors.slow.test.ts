import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { editorUser } from './lsp-client.ts'

// Real editors with the snippets of integrations/editors; one that is missing is skipped by name.
const ROOT = join(import.meta.dirname, '..')
const LINE = "import { createClient } from 'redis'"
const COLUMN = LINE.indexOf('redis') + 1
const ADR = `# Cache in the process

- Status: accepted
- Date: 2026-01-10

## Context and Problem Statement

Pages read the same rows again and again.

## Considered Options

- A map in the process
- Redis

## Decision Outcome

Chosen option: "A map in the process", because it is one service less to run and to pay for.

## Pros and Cons of the Options

### Redis

- Bad, because it is a second service
`

interface Shown {
  readonly diagnostics: readonly { readonly line: number; readonly message: string }[]
  readonly hover: { readonly contents: { readonly value: string } }
  readonly definition: readonly { readonly uri: string }[]
  readonly actions: readonly { readonly title: string }[]
  readonly completion: { readonly items: readonly { readonly label: string }[] }
}

const EDITORS = [
  {
    name: 'nvim',
    args: [
      '--headless',
      '--clean',
      '-c',
      `luafile ${join(ROOT, 'integrations/editors/neovim.lua')}`,
      '-S',
      join(ROOT, 'test/editors/neovim.lua'),
    ],
  },
  {
    name: 'emacs',
    args: ['--batch', '-l', join(ROOT, 'integrations/editors/emacs.el'), '-l', join(ROOT, 'test/editors/emacs.el')],
    needs: ['--batch', '--eval', "(require 'eglot)"],
  },
] as const

for (const editor of EDITORS) {
  const probe = spawnSync(editor.name, 'needs' in editor ? editor.needs : ['--version'])
  if (probe.status !== 0) {
    test.skip(`${editor.name} is not installed${'needs' in editor ? ' with eglot' : ''}`)
    continue
  }
  test(`${editor.name} shows diagnostics, a hover, a definition, code actions and completion from imported ADRs`, () => {
    const user = editorUser()
    try {
      user.write('src/cache.js', 'export const cache = new Map()\n')
      user.write('docs/adr/0002-cache-in-the-process.md', ADR)
      user.ken('init', '--name', 'shop', '--in-repo')
      user.ken('import', 'adr', 'docs/adr')
      user.git('add', '--all')
      user.git('commit', '--quiet', '--message', 'start')
      const shown = drive(user.home, join(user.repo, 'src/cache.js'), editor)
      expect(shown.completion.items.map(({ label }) => label)).toContain('D002')
      expect(shown.diagnostics).toContainEqual(
        expect.objectContaining({ line: 0, message: expect.stringContaining('rejected Redis') }),
      )
      expect(shown.hover.contents.value).toContain('rejected Redis')
      expect(shown.definition[0]!.uri).toMatch(/002-cache-in-the-process\.md$/)
      expect(shown.actions.map(({ title }) => title)).toContain('Dismiss D002 here')
    } finally {
      user.remove()
    }
  })
}

/** Starts an editor with `ken` run from this source, and returns what it shows for one typed line. */
function drive(home: string, file: string, { name, args }: (typeof EDITORS)[number]): Shown {
  const programs = join(home, '..', 'bin')
  const out = join(home, '..', `${name}.json`)
  mkdirSync(programs)
  writeFileSync(join(programs, 'ken'), `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/ken.js')}' "$@"\n`)
  chmodSync(join(programs, 'ken'), 0o755)
  execFileSync(name, [...args], {
    cwd: join(file, '..'),
    stdio: 'pipe',
    env: {
      ...process.env,
      PATH: `${programs}${delimiter}${process.env['PATH']}`,
      HOME: join(home, '..'),
      KEN_HOME: home,
      KEN_TEST_FILE: file,
      KEN_TEST_LINE: LINE,
      KEN_TEST_COLUMN: String(COLUMN),
      KEN_TEST_OUT: out,
    },
  })
  return JSON.parse(readFileSync(out, 'utf8')) as Shown
}
