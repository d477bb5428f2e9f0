import { closeSync, ftruncateSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HostileClone, Stage } from '../stage.ts'

const KIND = 'pipes, sockets and sizes'

/** Paths where git or Ken would open a file by its name. */
const PIPES: readonly string[] = [
  '.git/config',
  '.git/config.worktree',
  '.git/index',
  '.git/HEAD',
  '.git/packed-refs',
  '.git/shallow',
  '.git/info/exclude',
  '.git/info/attributes',
  '.git/refs/heads/main',
  '.git/objects/info/alternates',
  '.git/objects/pack/pack-1.idx',
  '.gitattributes',
  'src/.gitattributes',
  '.gitignore',
  'docs/.gitignore',
  '.kenignore',
  '.ken/config.json',
  '.ken/record/project.md',
  '.ken/record/state_current.md',
  '.ken/record/open-questions.md',
  '.ken/record/.decision-hashes.json',
  '.ken/record/decisions/002-a-pipe.md',
  '.ken/record/journal/events.jsonl',
  '.ken/record/snapshots/pack.jsonl',
  '.ken/context-manifest.jsonl',
  'ken.yaml',
  'RULES.md',
  '.env',
  'AGENTS.md',
  'CLAUDE.md',
  'MEMORY.md',
  '.mcp.json',
  '.aider.chat.history.md',
  'docs/pipe.md',
  'src/orders.ts',
  'package.json',
  'tests/orders.yaml',
]

/** Paths that no read operation opens or lists, so that none reports them. */
const UNSAID =
  /^(?:AGENTS|CLAUDE|MEMORY|\.mcp|\.aider|package|tests|\.env|src\/orders|\.ken\/(?:context-manifest|record\/\.decision-hashes))/

const sparse = (stage: Stage, path: string, bytes: number): void => {
  mkdirSync(dirname(join(stage.clone, path)), { recursive: true })
  const file = openSync(join(stage.clone, path), 'w')
  ftruncateSync(file, bytes)
  closeSync(file)
}

/** Files that would block or exhaust a reader. */
export const SPECIAL_FILES: readonly HostileClone[] = [
  ...PIPES.map((path): HostileClone => ({
    name: `a pipe at ${path}`,
    kind: KIND,
    build(stage) {
      if (/^(?:RULES|\.env|docs|tests|\.kenignore|\.ken\/context)/.test(path)) stage.put('ken.yaml', 'name: orchard\n')
      stage.pipe(path)
      return {
        from: 'src',
        calls: [['read_file', { path }]],
        ...(!UNSAID.test(path) && { says: /is a pipe|not a plain file/ }),
      }
    },
  })),
  {
    name: 'an object that is a pipe',
    kind: KIND,
    build(stage) {
      const blob = stage.git('rev-parse', 'HEAD:src/orders.ts')
      stage.pipe(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`)
    },
  },
  {
    name: 'an include of a pipe',
    kind: KIND,
    build(stage) {
      stage.pipe('.git/more')
      stage.configure('[include]\n\tpath = more\n')
    },
  },
  {
    name: 'an include of a device that never ends',
    kind: KIND,
    build: ({ configure }) => configure('[include]\n\tpath = /dev/zero\n'),
  },
  {
    name: 'sockets where files belong',
    kind: KIND,
    build(stage) {
      for (const path of [
        'AGENTS.md',
        'ken.yaml',
        '.ken/record/state_current.md',
        'src/.gitignore',
        '.git/packed-refs',
      ])
        stage.run(
          'python3',
          '-c',
          'import socket,os,sys; os.path.exists(sys.argv[1]) and os.remove(sys.argv[1]); os.chdir(os.path.dirname(os.path.abspath(sys.argv[1]))); socket.socket(socket.AF_UNIX).bind(os.path.basename(sys.argv[1]))',
          join(stage.clone, path),
        )
      return { from: 'src' }
    },
  },
  {
    name: 'sparse files of many gigabytes',
    kind: KIND,
    build(stage) {
      for (const path of ['AGENTS.md', 'ken.yaml', 'docs/huge.md', 'src/huge.ts', '.ken/record/state_current.md'])
        sparse(stage, path, 40 * 1024 ** 3)
    },
  },
  {
    name: 'sparse files that git reads',
    kind: KIND,
    build(stage) {
      for (const path of ['.gitignore', '.gitattributes', '.git/info/exclude', '.git/packed-refs'])
        sparse(stage, path, 40 * 1024 ** 3)
    },
  },
  {
    name: 'a sparse configuration of git',
    kind: KIND,
    build: (stage) => sparse(stage, '.git/config', 40 * 1024 ** 3),
  },
  {
    name: 'folders nested without an end',
    kind: KIND,
    build(stage) {
      const deep = 'd/'.repeat(900)
      mkdirSync(join(stage.clone, 'docs', deep), { recursive: true })
      mkdirSync(join(stage.clone, 'src', deep), { recursive: true })
      stage.put(`docs/${deep}end.md`, '# End\n')
      stage.put('ken.yaml', 'name: orchard\n')
      return { from: `src/${'d/'.repeat(60)}` }
    },
  },
  {
    name: 'ten thousand files in one folder',
    kind: KIND,
    build(stage) {
      for (let at = 0; at < 10_000; at++) stage.put(`docs/many/${at}.md`, '# One of many\n')
    },
  },
]
