import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { HostileClone } from '../stage.ts'

const KIND = 'links'

/** Links: the path in the clone, and the target below the outside folder. */
const LINKS: readonly (readonly [path: string, target: string])[] = [
  ['.ken', ''],
  ['.ken/config.json', 'config.json'],
  ['.ken/record', 'record'],
  ['.ken/record/decisions', 'decisions'],
  ['.ken/record/decisions/002-sell-the-orchard.md', '007-sell-the-orchard.md'],
  ['.ken/record/project.md', 'project.md'],
  ['.ken/record/journal', ''],
  ['.ken/record/snapshots', ''],
  ['.ken/record/context', ''],
  ['docs', ''],
  ['docs/notes.md', 'notes.md'],
  ['src', ''],
  ['src/notes.ts', 'notes.md'],
  ['AGENTS.md', 'notes.md'],
  ['ken.yaml', 'ken.yaml'],
  ['RULES.md', 'RULES.md'],
  ['.env', 'app.env'],
  ['.gitignore', 'notes.md'],
  ['.kenignore', 'notes.md'],
  ['.gitattributes', 'notes.md'],
  ['.git/config', 'include.gitconfig'],
  ['.git/index', 'notes.md'],
  ['.git/info', ''],
  ['MEMORY.md', 'notes.md'],
  ['memory', ''],
  ['.aider.chat.history.md', 'notes.md'],
]

/** Links at every component of a path that Ken reads. */
export const LINKED: readonly HostileClone[] = [
  ...LINKS.map(([path, target]): HostileClone => ({
    name: `a link at ${path}`,
    kind: KIND,
    build(stage) {
      rmSync(join(stage.clone, path), { recursive: true, force: true })
      stage.put(path, `-> ${stage.up(path.split('/').length - 1)}/${target}`)
      if (path.startsWith('docs') || path === 'RULES.md' || path === '.env') stage.put('ken.yaml', 'name: orchard\n')
      return {
        calls: [
          ['read_file', { path: path.startsWith('docs') ? 'docs/notes.md' : path }],
          ['get_raw_file', { path: 'project.md' }],
          ['get_decision', { number: 7 }],
          ['get_decision', { number: 2 }],
          ['grep_files', { pattern: 'heron' }],
          ['memory_get', { id: 'record/project.md' }],
        ],
      }
    },
  })),
  {
    name: 'links that lead round in a circle',
    kind: KIND,
    build(stage) {
      stage.put('docs/a', '-> b')
      stage.put('docs/b', '-> a')
      stage.put('src/self', '-> .')
      stage.put('.ken/record/decisions/loop', '-> ../decisions')
      stage.put('ken.yaml', 'name: orchard\n')
      return { from: 'src' }
    },
  },
  {
    name: 'a link to a device that never ends',
    kind: KIND,
    build(stage) {
      for (const path of [
        'AGENTS.md',
        'ken.yaml',
        'docs/zero.md',
        '.ken/record/state_current.md',
        '.gitignore',
        '.env',
      ])
        stage.put(path, '-> /dev/zero')
    },
  },
]
