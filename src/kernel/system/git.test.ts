import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRepositoryHistory } from '../../record/repository/history.ts'
import { openRepository } from '../../record/repository/index.ts'
import { NAMED_PROGRAM_SETTINGS, PROGRAM_SETTINGS, runGit } from './git.ts'

let place: string
let ran: string

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-one-git-')))
  ran = join(place, 'ran')
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

const asUser = (folder: string, ...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=A Stranger', '-c', 'user.email=stranger@example.org', ...words], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function repositoryIn(folder: string): void {
  mkdirSync(folder, { recursive: true })
  asUser(folder, 'init', '-q', '-b', 'main')
  write(join(folder, 'a.txt'), 'a\n')
  asUser(folder, 'add', '-A')
  asUser(folder, 'commit', '-qm', 'first')
}

/** Config with a remote that git queries for a missing object and that makes git run a program. */
const promisor = (): string =>
  `[extensions]\n\tpartialClone = evil\n[remote "evil"]\n\turl = file://${place}\n\tpromisor = true\n\tuploadpack = "touch ${ran};"\n`

/** Performs every repository read by guard, drift, brief and the record. */
async function look(folder: string): Promise<void> {
  const repository = await openRepository(folder)
  for (const base of [undefined, 'HEAD', 'main', '1'.repeat(40)]) {
    await repository?.diff(base).catch(() => undefined)
    await repository?.text('a.txt', { base: base ?? 'HEAD' }).catch(() => undefined)
    await repository?.commits.named(base ?? 'HEAD').catch(() => undefined)
  }
  await repository?.head().catch(() => undefined)
  await repository?.addedOn(folder)
  await repository?.withoutFiles(['*.md']).catch(() => undefined)
  const history = await openRepositoryHistory(folder)
  await history?.line().catch(() => undefined)
  await history?.files('now', '').catch(() => undefined)
  await history?.moves(undefined).catch(() => undefined)
  await history?.revisions(() => true).catch(() => undefined)
  history?.close()
}

describe('an untrusted repository', () => {
  test('planted as a bare repository in a folder of a clone, with a program as its remote, is not read', async () => {
    const outer = join(place, 'outer')
    repositoryIn(outer)
    const planted = join(outer, 'vendor/x')
    const head = '1'.repeat(40)
    write(join(planted, 'HEAD'), 'ref: refs/heads/main\n')
    write(join(planted, 'refs/heads/main'), `${head}\n`)
    write(join(planted, 'objects/info/packs'), '')
    write(
      join(planted, 'config'),
      `[core]\n\trepositoryformatversion = 1\n\tbare = false\n\tworktree = .\n${promisor()}`,
    )
    expect(asUser(planted, 'rev-parse', 'HEAD')).toBe(head)
    await look(planted)
    expect(existsSync(ran)).toBe(false)
    expect((await openRepository(planted))?.root).toBe(outer)
  })

  test('does not fetch an object missing from its archive', async () => {
    const folder = join(place, 'archive')
    repositoryIn(folder)
    const blob = asUser(folder, 'rev-parse', 'HEAD:a.txt')
    rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    write(join(folder, 'a.txt'), 'changed\n')
    write(join(folder, '.git/config'), `[core]\n\trepositoryformatversion = 1\n${promisor()}`)
    await look(folder)
    expect(existsSync(ran)).toBe(false)
    // Proves that the trap works: plain git triggers it.
    try {
      asUser(folder, 'diff', 'HEAD')
    } catch {
      // Git starts the program, then rejects its answer.
    }
    expect(existsSync(ran)).toBe(true)
  })

  test('starts none of the programs named in its settings', async () => {
    const folder = join(place, 'archive')
    repositoryIn(folder)
    write(join(folder, 'b.txt'), 'new\n')
    write(join(folder, 'a.txt'), 'b\n')
    utimesSync(join(folder, 'a.txt'), 1, 1)
    const hook = join(folder, '.git/own-hooks/post-index-change')
    write(hook, `#!/bin/sh\ntouch ${ran}-hook\n`)
    chmodSync(hook, 0o755)
    write(join(folder, '.git/info/attributes'), '* filter=x diff=x merge=x\n*.txt filter=a=b\n')
    const named = [
      'filter.x.clean',
      'filter.x.process',
      'filter.a=b.clean',
      'filter.a=b.process',
      'filter.a=b.smudge',
      'diff.x.command',
      'diff.x.textconv',
      'hook.x.command',
      'merge.x.driver',
      'gpg.ssh.program',
      'alias.diff',
      'alias.log',
      'pager.log',
      'pager.diff',
      'remote.origin.uploadpack',
      'remote.origin.vcs',
      'credential.https://example.org.helper',
      'submodule.x.update',
      'trailer.x.cmd',
    ]
    // Whether a setting is a switch rather than a program. Switches are turned on: git fails on an invalid value.
    const isSwitch = (name: string): boolean =>
      /^(?:false|0)$/.test(PROGRAM_SETTINGS[name] ?? '') && !/(?:program|editor|Command|fsmonitor|httpd)$/.test(name)
    const config = [...Object.keys(PROGRAM_SETTINGS), ...named].map((name, at) => {
      const [section, ...rest] = name.split('.')
      const head = rest.length === 1 ? `[${section}]` : `[${section} "${rest.slice(0, -1).join('.')}"]`
      const value = name === 'core.hooksPath' ? dirname(hook) : isSwitch(name) ? '1' : `touch ${ran}-${at}; cat`
      return `${head}\n\t${rest.at(-1)} = "${value}"\n`
    })
    appendFileSync(join(folder, '.git/config'), config.join(''))
    await look(folder)
    expect(readdirSync(place)).toEqual(['archive'])
    expect((await (await openRepository(folder))!.diff(undefined)).map(({ path }) => path)).toEqual(['a.txt', 'b.txt'])
  })

  test('uses the working tree it is in, whatever its settings name', async () => {
    const folder = join(place, 'archive')
    repositoryIn(folder)
    write(join(place, 'elsewhere/secret.txt'), 'secret\n')
    asUser(folder, 'config', 'core.worktree', join(place, 'elsewhere'))
    const repository = await openRepository(folder)
    expect(repository?.root).toBe(folder)
    expect((await repository!.diff(undefined)).map(({ path }) => path)).toEqual([])
  })

  test('does not apply replacement objects', async () => {
    const folder = join(place, 'archive')
    repositoryIn(folder)
    const [first, second] = ['HEAD:a.txt', 'HEAD'].map((name) => asUser(folder, 'rev-parse', name))
    write(join(folder, 'other.txt'), 'other\n')
    const other = asUser(folder, 'hash-object', '-w', 'other.txt')
    asUser(folder, 'replace', first!, other)
    const repository = await openRepository(folder)
    expect(await repository!.text('a.txt', { base: second! })).toBe('a\n')
  })

  test('owned by another user of the machine is ignored, until the user allows it', async () => {
    if (process.getuid?.() !== 0) return
    const folder = join(place, 'theirs')
    repositoryIn(folder)
    execFileSync('chown', ['-R', '12345', folder])
    expect(await openRepository(folder)).toBeUndefined()
  })
})

test('variables that git sets for its hooks do not select another repository', async () => {
  const [one, other] = [join(place, 'one'), join(place, 'other')]
  for (const folder of [one, other]) repositoryIn(folder)
  const before = process.env['GIT_DIR']
  process.env['GIT_DIR'] = join(other, '.git')
  try {
    const answer = await runGit({ around: one }, ['rev-parse', '--absolute-git-dir'])
    expect(answer?.stdout.toString().trim()).toBe(join(one, '.git'))
  } finally {
    if (before === undefined) delete process.env['GIT_DIR']
    else process.env['GIT_DIR'] = before
  }
})

/** Settings in git's documentation with a program-like name that do not name a program. */
const NO_PROGRAM =
  /^(?:advice|color|completion|fsck|receive\.fsck|fetch\.fsck|gitcvs|gui|http|notes|rerere|stash|uploadpackfilter)\.|^(?:blame\.ignoreRevsFile|clone\.filterSubmodules|commit\.template|commitGraph\.(?:maxNewFilters|readChangedPaths|changedPaths.*)|core\.(?:quotePath|attributesFile|excludesFile|fsmonitorHookVersion|filesRefLockTimeout|packedRefsTimeout)|credential\.useHttpPath|diff\.<driver>\..*|difftool\.(?:prompt|trustExitCode|guiDefault)|filter\.<driver>\.required|format\.(?:signature|signatureFile|outputDirectory|filenameMaxLength)|fsmonitor\..*|gitweb\..*|gpg\.ssh\.(?:allowedSignersFile|revocationFile)|guitool\.<name>\..*|help\.htmlPath|include\.path|includeIf\..*\.path|instaweb\.modulePath|merge\.<driver>\.(?:name|recursive)|mergetool\..*|pack\..*|rebase\..*|remote\.<name>\.(?:partialCloneFilter|proxyAuthMethod|serverOption)|sendemail\.(?:aliasFileType|aliasesFile|forbidSendmailVariables|smtpServerOption|smtpServerPort|smtpsslcertpath|mailmap\.file)|ssh\.variant|status\.relativePaths|trailer\..*|transfer\..*|uploadpack\.(?:allow.*|hideRefs|keepAlive)|extensions\..*|safe\..*|url\..*)$/i

test('every setting of this git that may name a program is overridden or known to be safe', () => {
  const sounds =
    /cmd|command|program|helper|tool|editor|pager|hook|filter|driver|textconv|receivepack|uploadpack|vcs|proxy|askpass|sendmail|ssh|browser|template|exec|tunnel|external|\.path|Path$|alias/i
  const settings = execFileSync('git', ['help', '-c'], { encoding: 'utf8' }).split('\n')
  const isAnswered = (name: string): boolean =>
    Object.keys(PROGRAM_SETTINGS).some((known) => known.toLowerCase() === name.toLowerCase()) ||
    NAMED_PROGRAM_SETTINGS.some(({ setting }) => setting.test(name.replace(/<[^>]+>|\*/g, 'x')))
  expect(settings.length).toBeGreaterThan(500)
  expect(settings.filter((name) => sounds.test(name) && !isAnswered(name) && !NO_PROGRAM.test(name))).toEqual([])
})
