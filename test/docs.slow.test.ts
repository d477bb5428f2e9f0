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

test('the README shows the real output of `npm start`', () => {
  const shown = /<!-- demo:start -->\n```\n([\s\S]*?)```\n<!-- demo:end -->/.exec(read('README.md'))?.[1]
  const printed = execFileSync(process.execPath, [KEN, 'demo'], { cwd: ROOT, encoding: 'utf8' })
  expect(steady(printed)).toBe(steady(shown ?? ''))
}, 60_000)

/** Links in code are examples. */
const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, '')

test('every link between the documents resolves', () => {
  const pages = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !/^(node_modules|test|dist|models|\.ken)|\/node_modules\//.test(path),
  )
  const broken = pages.flatMap((page) =>
    [...withoutCode(read(page)).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target]) => resolve(ROOT, dirname(page), target!))
      .filter((target) => !existsSync(target))
      .map((target) => `${page} → ${relative(ROOT, target)}`),
  )
  expect(broken).toEqual([])
})

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

/** Strips the parts that differ from run to run. */
const steady = (text: string): string =>
  text
    .replace(/\/\S*\/projects\/\w+/g, 'FOLDER')
    .replace(/\d{4}-\d{2}-\d{2}/g, 'DATE')
    .trim()
