import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { placeOutside } from './index.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-boundary-')))
const root = join(place, 'Project')
mkdirSync(join(root, 'data/deep'), { recursive: true })
mkdirSync(join(place, 'outside'))
mkdirSync(join(place, 'Project-2'))
writeFileSync(join(root, 'data/shop.db'), '')
writeFileSync(join(place, 'outside/secret.db'), '')
symlinkSync(join(place, 'outside'), join(root, 'out'))
symlinkSync('../../outside/secret.db', join(root, 'data/link.db'))
symlinkSync('shop.db', join(root, 'data/own.db'))
symlinkSync(join(place, 'nowhere/yet.db'), join(root, 'dangling.db'))
symlinkSync('data/later.db', join(root, 'dangling-inside.db'))
symlinkSync('loop-b', join(root, 'loop-a'))
symlinkSync('loop-a', join(root, 'loop-b'))
symlinkSync('out', join(root, 'chain'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

describe('a path in ken.yaml', () => {
  test.each([
    'data/shop.db',
    './data/shop.db',
    'data/../data/shop.db',
    '',
    '.',
    'data/own.db',
    'data/not-there.db',
    'not/there/at/all.db',
    'dangling-inside.db',
    '~/shop.db',
    '~',
    '..hidden.db',
    '...',
    'data/shop.db/below',
    'loop-a',
    'c',
    'data/x:y.db',
    root,
    join(root, 'data/shop.db'),
  ])('%j stays inside the project', (path) => {
    expect(placeOutside(root, path)).toBeUndefined()
  })

  test.each([
    ['..', place],
    ['../outside/secret.db', join(place, 'outside/secret.db')],
    ['data/../../outside/secret.db', join(place, 'outside/secret.db')],
    ['../Project-2/shop.db', join(place, 'Project-2/shop.db')],
    ['../not/there.db', join(place, 'not/there.db')],
    ['/etc/passwd', realpathSync('/etc/passwd')],
    ['out/secret.db', join(place, 'outside/secret.db')],
    ['out/not-there.db', join(place, 'outside/not-there.db')],
    ['chain/secret.db', join(place, 'outside/secret.db')],
    ['chain/../shop.db', join(root, 'shop.db')],
    ['data/link.db', join(place, 'outside/secret.db')],
    ['dangling.db', join(place, 'nowhere/yet.db')],
    ['dangling.db/below', join(place, 'nowhere/yet.db/below')],
    [place, place],
  ])('%j leads to %s', (path, where) => {
    const isInside = where.startsWith(root + sep)
    expect(placeOutside(root, path)).toBe(isInside ? undefined : where)
  })

  test('is outside if its case differs on a case-sensitive file system', () => {
    const other = join(place, 'PROJECT/data/shop.db')
    let isSame = true
    try {
      realpathSync(other)
    } catch {
      isSame = false
    }
    expect(placeOutside(root, other)).toBe(isSame ? undefined : other)
  })

  test.each([
    'file:shop.db',
    'file:///etc/passwd',
    'FILE:///etc/passwd',
    'md:shop',
    'md:',
    's3://bucket/x.duckdb',
    'https://example.com/x.duckdb',
    'ducklake:postgres:x',
    'postgres:dbname=x',
    'sqlite:/etc/x',
    'gcs://b/x',
    'hf://datasets/x',
  ])('%j may be an engine address, so it is not treated as a file inside', (path) => {
    expect(placeOutside(root, path)).toBe(path)
  })

  test('never stays inside if its real path does not, for any combination of parts', () => {
    const part = fc.constantFrom(
      '..',
      '.',
      'data',
      'deep',
      'out',
      'chain',
      'shop.db',
      'link.db',
      'own.db',
      'outside',
      'Project',
      'secret.db',
      'x',
      '~',
      '',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, absolute) => {
        const path = absolute ? join(root, parts.join('/')) : parts.join('/')
        let real: string | undefined
        try {
          real = realpathSync(resolve(root, path))
        } catch {
          return
        }
        const isInside = real === root || real.startsWith(root + sep)
        expect(placeOutside(root, path)).toBe(isInside ? undefined : real)
      }),
      { numRuns: 2_000 },
    )
  })
})
