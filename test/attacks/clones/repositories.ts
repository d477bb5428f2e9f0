import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { HostileClone, Stage } from '../stage.ts'

const KIND = 'planted repositories'
const NOWHERE = '1'.repeat(40)

/** A bare repository among the clone's files: git accepts any folder with these names as one. */
function plant(stage: Stage, at: string, config: string): void {
  stage.put(`${at}/HEAD`, 'ref: refs/heads/main\n')
  stage.put(`${at}/refs/heads/main`, `${NOWHERE}\n`)
  stage.put(`${at}/objects/info/packs`, '')
  stage.put(`${at}/config`, config)
  stage.put(`${at}/readme.md`, 'looks harmless\n')
}

const promisor = (stage: Stage, url = `file://${stage.clone}`): string =>
  `[extensions]\n\tpartialClone = evil\n[remote "evil"]\n\turl = ${url}\n\tpromisor = true\n\tuploadpack = "${stage.program('promisor')};"\n`

const planted = (name: string, config: (stage: Stage) => string): HostileClone => ({
  name: `a planted repository: ${name}`,
  kind: KIND,
  build(stage) {
    plant(stage, 'vendor/x', config(stage))
    return { from: 'vendor/x' }
  },
})

/** Repositories in folders of the clone, and a `.git` that is not the clone's own. */
export const REPOSITORIES: readonly HostileClone[] = [
  planted('bare', (stage) => `[core]\n\tbare = true\n\tfsmonitor = "${stage.program('bare')}"\n`),
  planted(
    'that claims to be none, with a promisor',
    (stage) => `[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tworktree = .\n${promisor(stage)}`,
  ),
  planted(
    'with a worktree outside',
    (stage) => `[core]\n\tbare = false\n\tworktree = ${stage.outside}\n\tfsmonitor = "${stage.program('worktree')}"\n`,
  ),
  planted(
    'that fetches with ext::',
    (stage) =>
      `[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tworktree = .\n[protocol "ext"]\n\tallow = always\n[extensions]\n\tpartialClone = evil\n[remote "evil"]\n\turl = "ext::sh -c ${stage.program('ext').replaceAll(' ', '% ')}"\n\tpromisor = true\n`,
  ),
  planted(
    'with pagers and aliases',
    (stage) =>
      `[core]\n\tbare = false\n\tworktree = .\n\tpager = "${stage.program('pager')}"\n\thooksPath = .\n[alias]\n\tdiff = "!${stage.program('alias')}"\n`,
  ),
  {
    name: 'a clone with objects left out and a promisor',
    kind: KIND,
    build(stage) {
      const blob = stage.git('rev-parse', 'HEAD:src/orders.ts')
      rmSync(join(stage.clone, '.git/objects', blob.slice(0, 2), blob.slice(2)))
      stage.put('.git/config', `[core]\n\trepositoryformatversion = 1\n${promisor(stage)}`)
    },
  },
  {
    name: '.git as a file that points at a repository of the user',
    kind: KIND,
    build(stage) {
      rmSync(join(stage.clone, '.git'), { recursive: true })
      stage.put('.git', `gitdir: ${stage.outside}/.git\n`)
    },
  },
  {
    name: '.git as a file that points at a folder of the clone',
    kind: KIND,
    build(stage) {
      plant(stage, 'vendor/x', `[core]\n\tfsmonitor = "${stage.program('pointed')}"\n\tworktree = ../..\n`)
      rmSync(join(stage.clone, '.git'), { recursive: true })
      stage.put('.git', 'gitdir: vendor/x\n')
      return { from: 'vendor/x' }
    },
  },
  {
    name: '.git as a link to a repository of the user',
    kind: KIND,
    build(stage) {
      stage.put('.git', `-> ${stage.up(0)}/.git`)
    },
  },
  {
    name: 'a folder below with a .git of its own',
    kind: KIND,
    build(stage) {
      cpSync(join(stage.clone, '.git'), join(stage.clone, 'vendor/x/.git'), { recursive: true })
      stage.put('vendor/x/.git/config', `[core]\n\tfsmonitor = "${stage.program('below')}"\n`)
      stage.put('vendor/x/src/orders.ts', 'changed\n')
      return { from: 'vendor/x' }
    },
  },
  {
    name: 'submodules with relative addresses and updates that run',
    kind: KIND,
    build(stage) {
      stage.put(
        '.gitmodules',
        `[submodule "x"]\n\tpath = vendor/x\n\turl = ../../private\n\tupdate = !${stage.program('submodule')}\n[submodule "../../up"]\n\tpath = ../up\n\turl = -u./run\n`,
      )
      stage.put('vendor/x/.git', 'gitdir: ../../.git/modules/x\n')
      stage.put('.git/modules/x/HEAD', 'ref: refs/heads/main\n')
      stage.put(
        '.git/modules/x/config',
        `[core]\n\tworktree = ../../../vendor/x\n\tfsmonitor = "${stage.program('module')}"\n`,
      )
      stage.put('.git/modules/x/objects/info/packs', '')
      stage.put('.git/modules/x/refs/heads/main', `${NOWHERE}\n`)
      stage.git('update-index', '--add', '--cacheinfo', `160000,${NOWHERE},vendor/x`)
      return { from: 'vendor/x' }
    },
  },
  {
    name: 'a pretended worktree of a repository of the user',
    kind: KIND,
    build(stage) {
      stage.put('tree/.git', 'gitdir: ../own\n')
      stage.put('own/gitdir', '../tree/.git\n')
      stage.put('own/commondir', `${stage.outside}/.git\n`)
      stage.put('own/HEAD', 'ref: refs/heads/main\n')
      return { from: 'tree' }
    },
  },
  {
    name: 'a commondir that leads to a repository of the user',
    kind: KIND,
    build: (stage) => stage.put('.git/commondir', `${stage.outside}/.git\n`),
  },
  {
    name: 'alternates that lead outside, with a ref to a commit there',
    kind: KIND,
    build(stage) {
      stage.put('.git/objects/info/alternates', `${stage.outside}/.git/objects\n`)
      stage.put('.git/refs/heads/main', readFileSync(join(stage.outside, '.git/refs/heads/main')))
    },
  },
  {
    name: 'refs and objects that are links to those of the user',
    kind: KIND,
    build(stage) {
      stage.put('.git/refs', `-> ${stage.up(1)}/.git/refs`)
      stage.put('.git/objects', `-> ${stage.up(1)}/.git/objects`)
    },
  },
  {
    name: 'one ref that is a link to a file of the user',
    kind: KIND,
    build(stage) {
      stage.put('.git/refs/heads/main', `-> ${stage.up(3)}/notes.md`)
    },
  },
  {
    name: 'replaced objects and grafts',
    kind: KIND,
    build(stage) {
      stage.put('other.txt', 'other\n')
      const other = stage.git('hash-object', '-w', 'other.txt')
      stage.git('replace', stage.git('rev-parse', 'HEAD:src/orders.ts'), other)
      stage.put('.git/info/grafts', `${stage.git('rev-parse', 'HEAD')} ${NOWHERE}\n`)
      stage.put('.git/shallow', `${NOWHERE}\n`)
    },
  },
  {
    name: 'an index and a HEAD of noise',
    kind: KIND,
    build(stage) {
      stage.put('.git/index', Buffer.alloc(100_000, 'DIRC\0\0\0\x02\xff\xff\xff\xff'))
      stage.put('.git/packed-refs', 'x'.repeat(100_000))
      stage.put('.git/HEAD', 'ref: refs/heads/../../../../../private/notes.md\n')
    },
  },
]
