import type { HostileClone } from '../stage.ts'

const KIND = 'patterns and bombs'

const many = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('')

/** With naive matching, the time for each pattern doubles with every star. */
const SLOW = (at: number): string => `**/${'a*'.repeat(20)}b${at}`
const FOLDERS = (at: number): string => `${'**/'.repeat(30)}x${at}`

/** Three thousand patterns and files that nearly fit them. */
const patterns =
  (path: string, line: (at: number) => string): HostileClone['build'] =>
  (stage) => {
    for (let at = 0; at < 100; at++) stage.put(`docs/d${at}/${'a'.repeat(60)}`, 'x\n')
    stage.put(`${'a/'.repeat(60)}f`, 'x\n')
    if (path.includes('attributes')) stage.commit()
    if (path.includes('attributes'))
      for (let at = 0; at < 100; at++) stage.put(`docs/d${at}/${'a'.repeat(60)}`, 'changed\n')
    stage.put(path, many(3_000, line))
    return { from: 'docs/d1' }
  }

const LAUGHS = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
  .split('')
  .map((name, at) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[at]}`).join(',')}]\n`)
  .join('')}`

const PROTOTYPES = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1}'

/** Texts that take more time or memory to read than their size suggests. */
export const PATTERNS: readonly HostileClone[] = [
  ...['.gitignore', '.git/info/exclude', '.kenignore', '.gitattributes', '.git/info/attributes'].flatMap((path) => [
    { name: `3,000 slow patterns in ${path}`, kind: KIND, build: patterns(path, SLOW) },
    {
      name: `3,000 patterns of many folders in ${path}`,
      kind: KIND,
      build: patterns(path, (at) => (path.includes('attributes') ? `${FOLDERS(at)} diff=x` : FOLDERS(at))),
    },
  ]),
  {
    name: 'attributes and ignores in every folder of a deep tree',
    kind: KIND,
    build(stage) {
      for (let depth = 1; depth <= 60; depth++) {
        stage.put(`${'a/'.repeat(depth)}.gitignore`, many(100, SLOW))
        stage.put(
          `${'a/'.repeat(depth)}.gitattributes`,
          many(100, (at) => `${SLOW(at)} diff=x`),
        )
      }
      return { from: 'a/a/a' }
    },
  },
  {
    name: 'files_affected with slow patterns in a decision',
    kind: KIND,
    build(stage) {
      const text = `---\ndate: 2026-01-01\nversion: 1\nstatus: active\nconfidence: high\nfiles_affected:\n${many(500, (at) => `  - "${SLOW(at)}"`)}---\n\n# 002 — Slow\n\n## Decision\n\nSlow.\n`
      stage.put('.ken/record/decisions/002-slow.md', text)
      stage.put(`src/${'a'.repeat(60)}`, 'x\n')
    },
  },
  ...['ken.yaml', 'tests/laugh.yaml', '.ken/record/decisions/002-laughs.md', 'docs/laughs.md'].map(
    (path): HostileClone => ({
      name: `a billion laughs in ${path}`,
      kind: KIND,
      build(stage) {
        stage.put('ken.yaml', 'name: orchard\n')
        stage.put(path, path.endsWith('.md') ? `---\n${LAUGHS}---\n\n# Laughs\n` : LAUGHS)
      },
    }),
  ),
  {
    name: 'names of prototypes in JSON and YAML',
    kind: KIND,
    build(stage) {
      stage.put('.ken/config.json', PROTOTYPES)
      stage.put('.ken/record/.decision-hashes.json', PROTOTYPES)
      stage.put('ken.yaml', '__proto__: { polluted: true }\nconstructor: { prototype: { polluted: true } }\nname: x\n')
      stage.put('.mcp.json', PROTOTYPES)
      stage.put('package.json', PROTOTYPES)
      stage.put('.ken/record/journal/events.jsonl', `${PROTOTYPES}\n`)
    },
  },
  {
    name: 'deeply nested JSON',
    kind: KIND,
    build(stage) {
      const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
      for (const path of [
        '.ken/record/.decision-hashes.json',
        '.mcp.json',
        'package.json',
        '.ken/context-manifest.jsonl',
      ])
        stage.put(path, deep)
      stage.put('ken.yaml', `name: ${'['.repeat(20_000)}\n`)
      stage.put('.ken/record/journal/events.jsonl', `${deep}\n`)
    },
  },
  {
    name: 'a decision of one endless line',
    kind: KIND,
    build(stage) {
      stage.put('.ken/record/decisions/002-long.md', `# ${'x '.repeat(4_000_000)}\n`)
      stage.put('.ken/record/project.md', `${'<!--'.repeat(500_000)}\n`)
      stage.put('docs/long.md', `${'['.repeat(500_000)}\n`)
    },
  },
]
