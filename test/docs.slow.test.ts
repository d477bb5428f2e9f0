import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { OPERATIONS } from '../src/operations/all.ts'
import { SERVER_COMMANDS } from '../src/surfaces/cli/dispatch.ts'
import { SHORTHANDS } from '../src/surfaces/cli/shorthands.ts'
import { KEN } from './ken-program.ts'

const ROOT = resolve(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

test('the reference pages match the registry', () => {
  expect(execFileSync(process.execPath, ['scripts/docs.ts', '--check'], { cwd: ROOT, encoding: 'utf8' })).toContain(
    'up to date',
  )
})

test('the picture in the README shows what `ken demo` prints', () => {
  const texts = [...read('docs/images/check.svg').matchAll(/<text[^>]*>(.*)<\/text>/g)].map(([, text]) =>
    text!
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&'),
  )
  expect(texts[0]).toMatch(/^\$ ken check "/)
  const printed = execFileSync(process.execPath, [KEN, 'demo', '--once'], { cwd: ROOT, encoding: 'utf8' })
  expect(words(printed)).toContain(words(texts.join(' ')))
}, 60_000)

/** Links in code are examples. */
const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, '')

test('every link between the documents resolves, with its anchor', () => {
  const pages = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !/^(node_modules|test|dist|models|\.ken)|\/node_modules\//.test(path),
  )
  const broken = pages.flatMap((page) =>
    [...withoutCode(read(page)).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)]
      .filter(([, target, anchor]) => {
        const path = target === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), target!))
        if (!existsSync(join(ROOT, path))) return true
        return anchor !== undefined && path.endsWith('.md') && !anchorsOf(read(path)).has(anchor)
      })
      .map(([link]) => `${page} → ${link}`),
  )
  expect(broken).toEqual([])
})

/** Anchors as GitHub makes them of headings, and explicit ones. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set([...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id]) => id!))
  for (const [, heading] of text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const slug = heading!
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let nth = 1; anchors.has(anchor); nth++) anchor = `${slug}-${nth}`
    anchors.add(anchor)
  }
  return anchors
}

test('every command in the documents exists', () => {
  const known = new Set(
    [
      ...OPERATIONS.flatMap(({ command }) => command),
      ...[...SHORTHANDS, ...SERVER_COMMANDS].map((one) => one.command),
    ].map((command) => command.split(' ')[0]!),
  )
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }),
  ]
    // The operations in extending.md are examples.
    .filter((path) => path.endsWith('.md') && path !== 'extending.md')
    .map((path) => (path === 'README.md' || path === 'CONTRIBUTING.md' ? path : join('docs', path)))
  const wrong = pages.flatMap((page) =>
    [...read(page).matchAll(/(?:`|^\$ |^|&& |\| )(?:npx )?(?:ken|kenbase) ([a-z][\w-]*)(?=[\s`])/gm)]
      .map(([, word]) => word!)
      .filter((word) => !known.has(word))
      .map((word) => `${page}: ken ${word}`),
  )
  expect(wrong).toEqual([])
})

test('AGENTS.md stays short enough to be read', () => {
  expect(read('AGENTS.md').split('\n').length).toBeLessThan(80)
})

test('the record has the reason for every package that users get, installed or in the bundle', () => {
  const record = readdirSync(join(ROOT, '.ken/record/decisions')).map((name) => read(`.ken/record/decisions/${name}`))
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<string, object>
  const imported = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) => [...read(join('src', path)).matchAll(/^import (?!type)[^']*from '((?:@[\w-]+\/)?[\w-]+)/gm)])
    .map(([, name]) => name!)
    .filter((name) => name !== 'node')
  const packages = new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...imported])
  const unexplained = [...packages].filter((name) => {
    const word = new RegExp(`(?<![\\w@/-])${name}(?![\\w/-])`)
    return !record.some((decision) => word.test(decision))
  })
  expect(unexplained).toEqual([])
})

/** Removes line breaks and dates, which differ between runs. */
const words = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, 'DATE')
    .replaceAll(/\s+/g, ' ')
    .trim()
