import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openContextCheckouts } from '../src/context/adapters/disk-context-checkouts.ts'
import type { GitPlace } from '../src/context/domain/context-project/git-place.ts'
import { openGitTrees } from '../src/context/git-trees/index.ts'
import type { GitTree } from '../src/context/ports/git-trees.ts'
import { versionOf } from '../src/team/pull-context.ts'
import { makeContextRepository, type ContextRepository } from './context-repository.ts'
import { openGitHost, type GitHost } from './git-host.ts'
import { unfoldingPack } from './unfolding-pack.ts'

let repository: ContextRepository
beforeAll(() => {
  repository = makeContextRepository()
})
afterAll(() => repository.remove())

const PATH = process.env['PATH']
const trees = openGitTrees({ allowsFiles: true, path: PATH })
const here = (more: Partial<GitPlace> = {}): GitPlace => ({
  address: repository.address,
  branch: 'main',
  folder: '',
  ...more,
})
const fetched = async (more: Partial<GitPlace> = {}, from = trees): Promise<GitTree> => {
  const tree = await from.fetch(here(more), {})
  if (tree === 'same') throw new Error('nothing was known')
  return tree
}
const textsOf = ({ files }: GitTree) =>
  Object.fromEntries(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString('utf8')]))

test('fetches the tip of a branch, or a folder of it, with unchanged bytes, and only once', async () => {
  repository.commit({ 'ken.yaml': 'name: old\n' })
  const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256)
  const commit = repository.commit({ 'ken.yaml': 'name: shop\n', 'sub/ken.yaml': 'name: sub\n', 'sub/ä b.bin': bytes })
  const tree = await fetched()
  expect(tree).toMatchObject({ commit, left: [] })
  expect(textsOf(tree)['ken.yaml']).toBe('name: shop\n')
  expect(Buffer.from(tree.files.find(({ path }) => path === 'sub/ä b.bin')!.bytes).equals(bytes)).toBe(true)
  expect(Object.keys(textsOf(await fetched({ folder: 'sub' })))).toEqual(['ken.yaml', 'ä b.bin'])
  expect(await trees.fetch(here(), { known: commit })).toBe('same')
  await expect(fetched({ branch: 'none' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(fetched({ folder: 'none' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(fetched({ folder: 'ken.yaml' })).rejects.toMatchObject({ code: 'not_found' })
})

describe('a hostile repository', () => {
  test('delivers no links, submodules or environment files, and none of its programs run', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'ken-outside-'))
    const ran = join(outside, 'ran')
    symlinkSync('/etc/passwd', join(repository.folder, 'link'))
    symlinkSync('/etc', join(repository.folder, 'folder'))
    repository.git('config', 'filter.evil.smudge', `touch ${ran}`)
    repository.git('config', 'uploadpack.packObjectsHook', `touch ${ran}; false #`)
    for (const name of ['post-checkout', 'post-merge', 'reference-transaction', 'pre-auto-gc']) {
      writeFileSync(join(repository.folder, '.git/hooks', name), `#!/bin/sh\ntouch ${ran}\n`)
      chmodSync(join(repository.folder, '.git/hooks', name), 0o755)
    }
    repository.commit({
      '.env': 'TOKEN=secret\n',
      '.gitattributes': '* filter=evil\n*.dat filter=lfs\n',
      '.gitmodules': `[submodule "m"]\n\tpath = m\n\turl = ${repository.address}\n`,
      'data.dat': 'version https://git-lfs.github.com/spec/v1\n',
    })
    repository.git('update-index', '--add', '--cacheinfo', `160000,${repository.git('rev-parse', 'HEAD')},m`)
    repository.git('commit', '-q', '-m', 'A submodule')
    rmSync(ran, { force: true })
    const clones = join(outside, 'clones')
    mkdirSync(clones)
    const tree = await fetched({}, openGitTrees({ allowsFiles: true, path: PATH, folder: clones }))
    const paths = tree.files.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['ken.yaml', '.gitattributes', '.gitmodules', 'data.dat']))
    for (const path of ['link', 'folder', 'm', '.env']) expect(paths).not.toContain(path)
    expect(tree.left.map(({ path, why }) => `${path}: ${why.split(';')[0]}`)).toEqual([
      '.env: an environment file',
      'folder: a symbolic link',
      'link: a symbolic link',
      'm: a submodule',
    ])
    expect(existsSync(ran)).toBe(false)
    expect(readdirSync(outside, { recursive: true })).toEqual(['clones'])
    rmSync(outside, { recursive: true })
  })

  test('is refused completely if a path leads out of its folder', async () => {
    const own = makeContextRepository()
    own.commit({ 'ken.yaml': 'name: shop\n' })
    const blob = own.git('rev-parse', 'HEAD:ken.yaml')
    const from = { address: own.address }
    own.commitTree([`100644 blob ${blob}\tken.yaml`, `100644 blob ${blob}\t..\\evil`])
    await expect(fetched(from)).rejects.toMatchObject({ code: 'invalid_input', details: { path: '..\\evil' } })
    const tree = own.git('rev-parse', 'HEAD^{tree}')
    for (const name of ['..', '.git', '.GIT', 'GIT~1', 'a.']) {
      own.commitTree([`100644 blob ${blob}\tken.yaml`, `040000 tree ${tree}\t${name}`])
      await expect(fetched(from), name).rejects.toMatchObject({ code: 'invalid_input' })
    }
    own.remove()
  })

  test('is refused if its files cannot be checked out, so that it never replaces the active version', async () => {
    const own = makeContextRepository()
    own.commit({ 'ken.yaml': 'name: shop\n', 'a/b': 'b' })
    const blob = own.git('rev-parse', 'HEAD:ken.yaml')
    const config = `100644 blob ${blob}\tken.yaml`
    const tree = own.git('rev-parse', 'HEAD:a')
    for (const [lines, path] of [
      [[config, config], 'ken.yaml'],
      [[config, `100644 blob ${blob}\ta`, `040000 tree ${tree}\ta`], 'a'],
      [[config, `100644 blob ${blob}\t${'語'.repeat(86)}`], '語'.repeat(86)],
    ] as const) {
      own.commitTree(lines)
      const refused = { code: 'invalid_input', details: { path } }
      await expect(fetched({ address: own.address }), path).rejects.toMatchObject(refused)
    }
    own.remove()
  })

  test('is refused if a few bytes expand to more than the memory limit of git', async () => {
    const own = makeContextRepository()
    const { pack, commit } = unfoldingPack(96)
    expect(pack.length).toBeLessThan(20_000)
    own.takePack(pack, commit)
    await expect(fetched({ address: own.address })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'The repository exceeds the memory limit.',
      details: { commit },
    })
    own.remove()
  })

  test('is refused for too many files, a large file, too much data in total or in transfer, or a timeout', async () => {
    const own = makeContextRepository()
    own.commit({ 'ken.yaml': 'name: shop\n', 'large.csv': Buffer.alloc(300_000, 'a'), 'other.csv': 'b' })
    const bounded = (bounds: object) =>
      fetched({ address: own.address }, openGitTrees({ allowsFiles: true, path: PATH, bounds }))
    await expect(bounded({ files: 2 })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/3 files/),
    })
    await expect(bounded({ fileBytes: 200_000 })).rejects.toMatchObject({ details: { path: 'large.csv' } })
    await expect(bounded({ bytes: 250_000 })).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(bounded({ transfer: 100 })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/larger/),
    })
    await expect(bounded({ patience: 1 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/took longer/),
    })
    expect((await bounded({})).files).toHaveLength(3)
    own.remove()
  })
})

describe('the hosts that a server contacts', () => {
  const asked = (address: string, found: readonly string[], hosts: readonly string[] = []) =>
    openGitTrees({ hosts, path: PATH, resolve: async () => found, bounds: { patience: 3_000 } }).fetch(
      here({ address }),
      {},
    )

  test('exclude its own machine and private networks, with the same error as an unknown name', async () => {
    await expect(asked(repository.address, [])).rejects.toMatchObject({ code: 'forbidden' })
    await expect(asked('https://git.example.com:99999/a.git', [])).rejects.toMatchObject({ code: 'invalid_input' })
    const refused = { message: 'Unknown repository host.' }
    for (const [address, found] of [
      ['https://git.example.com/a.git', []],
      ['https://git.example.com/a.git', ['10.0.0.5']],
      ['https://git.example.com/a.git', ['8.8.8.8', '127.0.0.1']],
      ['https://git.example.com/a.git', ['::ffff:127.0.0.1']],
      ['https://127.0.0.1/a.git', []],
      ['https://[::1]/a.git', []],
      ['https://169.254.169.254/latest', []],
      ['https://2130706433/a.git', []],
    ] as const)
      await expect(asked(address, found), address).rejects.toMatchObject(refused)
  })

  test('are refused before anything is resolved if the address itself is private', () => {
    const trees = openGitTrees({ hosts: ['10.1.2.3'], resolve: () => Promise.reject(new Error('resolved')) })
    for (const host of ['10.0.0.5', '[::1]', '169.254.169.254', '2130706433', 'localhost', 'git.localhost'])
      expect(() => trees.assertAllowed(`https://${host}/a.git`), host).toThrow('Unknown repository host.')
    for (const host of ['10.1.2.3', '8.8.8.8', 'git.example.com'])
      expect(() => trees.assertAllowed(`https://${host}/a.git`), host).not.toThrow()
  })

  test('include none if the git version would resolve the host name itself', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ken-old-git-'))
    writeFileSync(join(folder, 'git'), '#!/bin/sh\necho git version 2.34.1\n', { mode: 0o755 })
    const old = openGitTrees({ path: folder, resolve: async () => ['8.8.8.8'] })
    const asking = old.fetch(here({ address: 'https://git.example.com/a.git' }), {})
    await expect(asking).rejects.toMatchObject({ code: 'unavailable', message: expect.stringMatching(/git 2\.37/) })
    rmSync(folder, { recursive: true })
  })

  test('include a private one that the operator named, at the checked address', async () => {
    const asking = asked('https://git.example.com:1/a.git', ['127.0.0.1'], ['git.example.com'])
    // Port 1 is closed: git got as far as contacting this machine, under a name that resolves elsewhere.
    await expect(asking).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/refused|connect/i),
    })
  })
})

describe('a private repository over https', () => {
  const TOKEN = 'a-token-of-the-host'
  const wanted = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`
  let host: GitHost
  let own: ContextRepository
  beforeAll(async () => {
    own = makeContextRepository()
    own.commit({ 'ken.yaml': 'name: shop\n' })
    host = await openGitHost('git.example.com', own.folder, wanted)
  })
  afterAll(async () => {
    await host.close()
    own.remove()
  })
  const treesOf = (
    hosts: readonly string[] = ['git.example.com'],
    authorities: string | undefined = host.authority,
    bounds = {},
  ) => openGitTrees({ hosts, authorities, path: PATH, resolve: async () => ['127.0.0.1'], bounds })
  const at = (path: string): GitPlace => here({ address: `https://git.example.com:${host.port}/${path}` })

  test('is fetched with its token and no other credential', async () => {
    const tree = await treesOf().fetch(at(basename(own.folder)), { credential: TOKEN })
    expect(tree).toMatchObject({ commit: own.git('rev-parse', 'HEAD') })
    expect(new Set(host.shown)).toEqual(new Set([wanted]))
  })

  test('is refused with a missing or wrong token, after a redirect or without the CA; no error has the token', async () => {
    const place = at(basename(own.folder))
    const other = `${TOKEN}-no-more`
    for (const ask of [
      () => treesOf().fetch(place, {}),
      () => treesOf().fetch(place, { credential: other }),
      () => treesOf().fetch(at('moved'), { credential: TOKEN }),
      () => treesOf(undefined, '/dev/null').fetch(place, { credential: TOKEN }),
    ]) {
      const thrown = await ask().then(
        () => undefined,
        (error: unknown) => error as { code: string; line: string },
      )
      expect(thrown).toMatchObject({ code: 'unavailable' })
      for (const secret of [TOKEN, wanted, Buffer.from(TOKEN).toString('base64')])
        expect(thrown!.line).not.toContain(secret)
    }
    host.shown.length = 0
    await expect(treesOf([]).fetch(place, { credential: TOKEN })).rejects.toMatchObject({ code: 'unavailable' })
    expect(host.shown).toEqual([])
  })

  test('is refused if its host lists branches endlessly', async () => {
    const small = treesOf(undefined, undefined, { memory: 160 * 1024 ** 2 })
    await expect(small.fetch(at('endless'), {})).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'The repository exceeds the memory limit.',
    })
  })
})

test('a checkout contains a complete version or does not exist, and is removed with its process', async () => {
  const checkouts = openContextCheckouts(versionOf)
  const files = [
    { path: 'a/b.md', bytes: Buffer.from('b') },
    { path: 'ken.yaml', bytes: Buffer.from('name: shop') },
  ]
  const version = versionOf(files)
  async function* portions(...all: readonly (typeof files)[]) {
    yield* all
  }
  const folder = await checkouts.make(version, portions([files[0]!], [files[1]!]))
  expect(readFileSync(join(folder, 'a/b.md'), 'utf8')).toBe('b')
  expect(statSync(folder).mode & 0o077).toBe(0)
  for (const wrong of [[files[0]!], [], [...files, { path: '../c', bytes: Buffer.from('c') }]])
    await expect(checkouts.make(version, portions(wrong))).rejects.toMatchObject({ code: 'damaged' })
  expect(readdirSync(dirname(folder))).toEqual([basename(folder)])
  expect(existsSync(join(dirname(folder), '../c'))).toBe(false)
  await checkouts.drop(folder)
  expect(readdirSync(dirname(folder))).toEqual([])
  await checkouts.close()
  expect(existsSync(dirname(folder))).toBe(false)
})
