import type { HostileClone, Stage } from '../stage.ts'

const KIND = 'git settings'

/** Attributes that select every driver of that name. */
const ATTRIBUTES = '* filter=x diff=x merge=x\n'

const setting = (name: string, value: (stage: Stage) => string, more?: (stage: Stage) => void): HostileClone => ({
  name: `${name} in .git/config`,
  kind: KIND,
  build(stage) {
    const parts = name.split('.')
    const section = parts.length === 2 ? `[${parts[0]}]` : `[${parts[0]} "${parts.slice(1, -1).join('.')}"]`
    stage.configure(`${section}\n\t${parts.at(-1)} = "${value(stage).replaceAll('"', '\\"')}"\n`)
    stage.put('.git/info/attributes', ATTRIBUTES)
    more?.(stage)
  },
})

const program =
  (name: string) =>
  (stage: Stage): string =>
    `${stage.program(name)}; cat`

const PROGRAMS = [
  'core.fsmonitor',
  'core.pager',
  'core.editor',
  'core.sshCommand',
  'core.gitProxy',
  'core.alternateRefsCommand',
  'credential.helper',
  'diff.external',
  'diff.x.textconv',
  'diff.x.command',
  'filter.x.clean',
  'filter.x.smudge',
  'filter.x.process',
  'merge.x.driver',
  'gpg.program',
  'sequence.editor',
  'uploadpack.packObjectsHook',
  'hook.x.command',
]

const EVERY_HOOK = ['pre-commit', 'post-checkout', 'post-index-change', 'fsmonitor-watchman', 'reference-transaction']

/** Repository settings that name a program, or lead to others that do. */
export const GIT_SETTINGS: readonly HostileClone[] = [
  ...PROGRAMS.map((name) => setting(name, program(name))),
  setting(
    'core.hooksPath',
    () => 'own-hooks',
    (stage) => {
      for (const hook of EVERY_HOOK) stage.script(`own-hooks/${hook}`, hook)
    },
  ),
  setting('core.worktree', ({ outside }) => outside),
  setting('core.excludesFile', ({ outside }) => `${outside}/notes.md`),
  setting('core.attributesFile', ({ outside }) => `${outside}/notes.md`),
  {
    name: 'hooks of every name',
    kind: KIND,
    build({ script }) {
      for (const hook of EVERY_HOOK) script(`.git/hooks/${hook}`, hook)
    },
  },
  {
    name: 'aliases and pagers of the commands that Ken runs',
    kind: KIND,
    build(stage) {
      const commands = ['diff', 'log', 'ls-files', 'rev-parse', 'cat-file', 'config', 'status', 'check-ignore']
      stage.configure(
        commands
          .map(
            (name) => `[alias]\n\t${name} = "!${stage.program(name)}"\n[pager]\n\t${name} = "${stage.program(name)}"\n`,
          )
          .join(''),
      )
    },
  },
  {
    name: 'a filter with an equals sign in its name',
    kind: KIND,
    build(stage) {
      stage.configure(`[filter "a=b"]\n\tclean = "${stage.program('equals')}; cat"\n\trequired = true\n`)
      stage.put('.git/info/attributes', '* filter=a=b\n')
    },
  },
  {
    name: 'a setting with a newline in its value',
    kind: KIND,
    build(stage) {
      stage.configure(`[filter "x"]\n\tclean = "true\\n${stage.program('newline')}; cat"\n`)
      stage.put('.git/info/attributes', ATTRIBUTES)
    },
  },
  {
    name: 'a filter in the attributes of the tree',
    kind: KIND,
    build(stage) {
      stage.put('.gitattributes', ATTRIBUTES)
      stage.put('src/.gitattributes', '* filter=y\n')
      stage.commit()
      const filter = (name: string): string => `[filter "${name}"]\n\tclean = "${stage.program(name)}; cat"\n`
      stage.configure(`${filter('x')}${filter('y')}`)
    },
  },
  ...['include', 'includeIf "gitdir:**"', 'includeIf "onbranch:main"'].map((section): HostileClone => ({
    name: `${section.replaceAll(/\W+/g, ' ').trim()} of a file that names programs`,
    kind: KIND,
    build(stage) {
      stage.put('.git/more', `[diff "x"]\n\ttextconv = "${stage.program('include')}; cat"\n`)
      stage.put('.git/info/attributes', ATTRIBUTES)
      stage.configure(`[${section}]\n\tpath = more\n`)
    },
  })),
  {
    name: 'an include of a file of the user',
    kind: KIND,
    build(stage) {
      stage.configure(`[include]\n\tpath = ${stage.outside}/include.gitconfig\n\tpath = ${stage.outside}/notes.md\n`)
    },
  },
  {
    name: 'an include of itself',
    kind: KIND,
    build: ({ configure }) => configure('[include]\n\tpath = config\n'),
  },
  {
    name: 'settings of receive and every remote',
    kind: KIND,
    build(stage) {
      const run = stage.program('remote')
      stage.configure(
        `[receive]\n\tprocReceiveRefs = refs\n[remote "origin"]\n\turl = ext::sh -c "${run}"\n\tuploadpack = "${run}"\n\treceivepack = "${run}"\n\tvcs = ext\n\tproxy = "${run}"\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[submodule "x"]\n\tupdate = "!${run}"\n\turl = ext::${run}\n`,
      )
    },
  },
  {
    name: 'a worktree configuration that names programs',
    kind: KIND,
    build(stage) {
      stage.put('.git/config', '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n')
      stage.put('.git/config.worktree', `[filter "x"]\n\tclean = "${stage.program('worktree')}; cat"\n`)
      stage.put('.git/info/attributes', ATTRIBUTES)
    },
  },
]
